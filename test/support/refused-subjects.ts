import { errors, type NatsConnection } from '@nats-io/nats-core';

/**
 * The subjects that the server refuses a connection of what a piece of work publishes and listens to, in that order.
 */
export async function refusedSubjects(connection: NatsConnection, work: () => void): Promise<string[]> {
  const refused: string[] = [];
  const status = connection.status();
  work();
  connection.publish('nobody.may');
  for await (const event of status) {
    if (event.type !== 'error' || !(event.error instanceof errors.PermissionViolationError)) continue;
    if (event.error.subject === 'nobody.may') break;
    refused.push(event.error.subject);
  }
  return refused;
}
