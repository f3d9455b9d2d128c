import { errors, type NatsConnection } from '@nats-io/nats-core';
import { Failure } from '#contract/failure.ts';
import type { RequestOptions } from './bus.ts';
import { encodeBody, readAnswer, requestHeaders } from './codec.ts';
import { checkSubject } from './subjects.ts';

/** Asks over a connection that stands; `Bus.request` says what is thrown. */
export async function ask(
  connection: NatsConnection,
  subject: string,
  body: unknown,
  { timeoutMs, headers }: RequestOptions,
): Promise<unknown> {
  const timeout = Math.max(1, Math.ceil(timeoutMs));
  const data = encodeBody(body);
  let answer: Awaited<ReturnType<NatsConnection['request']>>;
  try {
    answer = await connection.request(checkSubject(subject), data, {
      timeout,
      headers: requestHeaders(timeout, headers),
    });
  } catch (error) {
    throw asFailure(error, subject, timeout, data.length);
  }
  return readAnswer(answer.data, answer.headers);
}

function asFailure(error: unknown, subject: string, timeoutMs: number, bytes: number): Failure {
  const because = { cause: error };
  if (error instanceof Failure) return error;
  if (error instanceof errors.TimeoutError) {
    return new Failure('deadline_exceeded', `No answer on ${subject} within ${timeoutMs} ms`, because);
  }
  if (error instanceof errors.InvalidArgumentError) {
    return new Failure(
      'resource_exhausted',
      `A request of ${bytes} bytes on ${subject} is larger than the bus carries: send less at a time`,
      because,
    );
  }
  if (error instanceof errors.RequestError && error.isNoResponders()) {
    return new Failure('unavailable', `Nobody answers on ${subject} right now: try again`, because);
  }
  if (error instanceof errors.RequestError && error.cause instanceof errors.PermissionViolationError) {
    return new Failure('internal', `This process has no right to ask ${subject} on the bus`, because);
  }
  return new Failure('unavailable', `The bus cannot be reached for ${subject}: try again`, because);
}
