import { setTimeout as delay } from 'node:timers/promises';
import { errors, type Msg, type NatsConnection, nuid } from '@nats-io/nats-core';
import { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import { type Tracer, traced, traceHeader, traceparentOf } from '#contract/tracer.ts';
import type { Endpoint, Served, Service } from './bus.ts';
import { decodeBody, encodeBody, failureHeaders, timeoutOf } from './codec.ts';
import { queueGroup, type ServiceInstance, serviceInstance, verbs } from './service-protocol.ts';
import { checkSubject } from './subjects.ts';

/** How long a stop waits for calls that are being answered, in milliseconds. */
const stopWithin = 2_000;
/** How long the server may take to say that a subject is not ours to answer, in milliseconds. */
const refusalWithin = 2_000;

/** Answers a service's endpoints over a connection; `Bus.serve` says what is thrown. */
export async function serveOver(
  connection: NatsConnection,
  service: Service,
  log?: Log,
  tracer?: Tracer,
): Promise<Served> {
  checkNames(service);
  const instance = serviceInstance(service, nuid.next(), new Date().toISOString());
  const running = new Set<Promise<void>>();
  const refused: string[] = [];
  const subscriptions = service.endpoints.map((endpoint) =>
    connection.subscribe(checkSubject(endpoint.subject), {
      queue: queueGroup,
      callback: (error, message) => {
        if (error !== null) return void refused.push(endpoint.subject);
        const answering = answer(endpoint, message, instance, log, tracer).finally(() => running.delete(answering));
        running.add(answering);
      },
    }),
  );
  const announcements = announce(connection, instance, log);
  await Promise.race([connection.flush().catch(() => undefined), delay(refusalWithin, undefined, { ref: false })]);
  const stop = async (): Promise<void> => {
    for (const announcement of announcements) announcement.unsubscribe();
    const drained = subscriptions.map((subscription) => subscription.drain().catch(() => undefined));
    const quiet = Promise.all(drained).then(() => Promise.all(running));
    await Promise.race([quiet, delay(stopWithin, undefined, { ref: false })]);
  };
  if (refused.length > 0) {
    await stop();
    throw new Failure('permission_denied', `The bus does not let this process answer ${refused.join(', ')}`);
  }
  let stopping: Promise<void> | undefined;
  return { id: instance.id, stop: () => (stopping ??= stop()) };
}

function checkNames({ name, version, endpoints }: Service): void {
  const names = [name, ...endpoints.map((endpoint) => endpoint.name)];
  const wrong = names.find((one) => !/^[A-Za-z0-9_-]+$/.test(one));
  if (wrong !== undefined) throw new Failure('invalid_argument', `${JSON.stringify(wrong)} is no name for a service`);
  if (!/^\d+\.\d+\.\d+/.test(version)) {
    throw new Failure('invalid_argument', `${JSON.stringify(version)} is no semantic version`);
  }
}

/** Answers $SRV PING, INFO and STATS. A user that may not hear $SRV serves all the same, only unseen. */
function announce(connection: NatsConnection, instance: ServiceInstance, log?: Log) {
  return verbs.flatMap((verb) =>
    instance.subjects(verb).map((subject) =>
      connection.subscribe(subject, {
        callback: (error, message) => {
          if (error !== null) return log?.debug({ subject }, 'not announced: the bus does not let this user hear $SRV');
          respond(message, instance.answer(verb), log);
        },
      }),
    ),
  );
}

async function answer(
  endpoint: Endpoint,
  message: Msg,
  instance: ServiceInstance,
  log?: Log,
  tracer?: Tracer,
): Promise<void> {
  const started = performance.now();
  let error: string | undefined;
  try {
    const call = { subject: message.subject, timeoutMs: timeoutOf(message.headers) };
    const parent = traceparentOf(message.headers?.get(traceHeader));
    const spec = { name: endpoint.subject, kind: 'server', parent } as const;
    const handle = async () => endpoint.handle(decodeBody(message.data), call);
    respond(message, (await (parent === undefined ? handle() : traced(tracer, spec, handle))) ?? {}, log);
  } catch (thrown) {
    const failure = asFailure(thrown, message.subject, log);
    error = `${failure.code}: ${failure.message}`;
    refuse(message, failure, log);
  }
  instance.count(endpoint.name, performance.now() - started, error);
}

function asFailure(error: unknown, subject: string, log?: Log): Failure {
  if (error instanceof Failure) return error;
  log?.error({ err: error, subject }, 'a call failed for a reason that nobody foresaw');
  return new Failure('internal', 'The call failed because of a fault in muster: its log on the server says more');
}

/** @throws Failure `resource_exhausted` where the answer is larger than the bus carries. */
function respond(message: Msg, body: unknown, log?: Log): void {
  const data = encodeBody(body);
  try {
    message.respond(data);
  } catch (error) {
    if (error instanceof errors.InvalidArgumentError) {
      throw new Failure(
        'resource_exhausted',
        `The answer has ${data.length} bytes, more than the bus carries: ask for fewer rows or for a summary`,
        { cause: error },
      );
    }
    log?.warn({ err: error, subject: message.subject }, 'an answer could not be sent');
  }
}

function refuse(message: Msg, failure: Failure, log?: Log): void {
  try {
    message.respond(encodeBody(failure), { headers: failureHeaders(failure) });
  } catch (error) {
    log?.warn({ err: error, subject: message.subject }, 'a refusal could not be sent');
  }
}
