import { setTimeout as delay } from 'node:timers/promises';
import { errors, type Msg, type NatsConnection, nuid } from '@nats-io/nats-core';
import type { Call, Endpoint, Envelope, Incoming, RunningService, SealedMessage, Service } from '#bus/bus.ts';
import {
  decodeBody,
  encodeBody,
  failureHeaders,
  headersOf,
  installationHeader,
  isLate,
  progressHeader,
  protocolHeader,
  timeoutOf,
} from '#bus/codec.ts';
import type { ResponderSeal } from '#bus/seal/sealed-call.ts';
import { checkPattern, checkSubject, instanceSubject, isInboxFor } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import { type Tracer, traced, traceHeader, traceparentOf } from '#contract/tracer.ts';
import { notUnderstood, ownProtocols, rangeText, readRange } from '#contract/wire/protocol-range.ts';
import { otherInstallation, type RegistryHolder } from '#contract/wire/registry-lease.ts';
import { toIncoming } from './inbox.ts';
import type { Outbox } from './outbox.ts';
import { encodeOutcome } from './outcome.ts';
import { queueGroup, type ServiceInstance, serviceInstance, verbs } from './service-protocol.ts';

/** How long a stop waits for calls that are being answered, in milliseconds. */
const stopWithin = 2_000;
/** How often a caller is notified that its call is in progress, if it requests that, in milliseconds. */
const progressEvery = 1_000;
/** How long the server may take to refuse a subscription, in milliseconds. */
const refusalWithin = 2_000;

/** Answers a service's endpoints over a connection; `Bus.serve` documents the errors. */
export async function serveOver(connection: NatsConnection, service: Service, server: Server): Promise<RunningService> {
  checkNames(service);
  const instance = serviceInstance(service, nuid.next(), new Date().toISOString());
  const running = new Set<Promise<void>>();
  const refused: string[] = [];
  const places = service.endpoints.flatMap((endpoint) => placesOf(endpoint, service.calledAs));
  const subscriptions = places.map(({ endpoint, subject }) =>
    connection.subscribe(subject, {
      ...(service.isAlone ? {} : { queue: queueGroup }),
      callback: (error, message) => {
        if (error !== null) return void refused.push(subject);
        const answering = answer(endpoint, message, { ...server, instance }).finally(() => running.delete(answering));
        running.add(answering);
      },
    }),
  );
  const announcements = service.isAlone ? [] : announce(connection, { ...server, instance });
  await Promise.race([connection.flush().catch(() => undefined), delay(refusalWithin, undefined, { ref: false })]);
  const stop = async (): Promise<void> => {
    for (const announcement of announcements) announcement.unsubscribe();
    const drained = subscriptions.map((subscription) => subscription.drain().catch(() => undefined));
    const quiet = Promise.all(drained).then(() => Promise.all(running));
    await Promise.race([quiet, delay(stopWithin, undefined, { ref: false })]);
  };
  if (refused.length > 0) {
    await stop();
    throw new Failure('BUS_RIGHT_MISSING', `The bus does not let this process answer ${refused.join(', ')}`);
  }
  let stopping: Promise<void> | undefined;
  return { id: instance.id, stop: () => (stopping ??= stop()) };
}

function checkNames({ name, version, endpoints }: Service): void {
  const names = [name, ...endpoints.map((endpoint) => endpoint.name)];
  const wrong = names.find((one) => !/^[A-Za-z0-9_-]+$/.test(one));
  if (wrong !== undefined) throw new Failure('INVALID_VALUE', `${JSON.stringify(wrong)} is not a name for a service`);
  if (!/^\d+\.\d+\.\d+/.test(version)) {
    throw new Failure('INVALID_VALUE', `${JSON.stringify(version)} is not a semantic version`);
  }
}

/** The state that all services of a connection share. */
export interface Server {
  readonly outbox: Outbox;
  readonly sealer: ResponderSeal;
  readonly log?: Log | undefined;
  readonly tracer?: Tracer | undefined;
  /** This registry; callers of other installations are refused. */
  readonly holder?: RegistryHolder | undefined;
}

/** The dependencies of answering calls to one service. */
interface ServeContext extends Server {
  readonly instance: ServiceInstance;
}

/** Answers $SRV PING, INFO and STATS. A user without permission for $SRV serves anyway, but cannot be discovered. */
function announce(connection: NatsConnection, answering: ServeContext) {
  const { instance, sealer, log } = answering;
  return verbs.flatMap((verb) =>
    instance.subjects(verb).map((subject) =>
      connection.subscribe(subject, {
        callback: (error, message) => {
          if (error !== null)
            return log?.debug({ subject }, 'not announced: the bus does not let this user subscribe to $SRV');
          if (!isForInbox(message, log)) return;
          void respondOrLog(message, { body: instance.answer(verb) }, sealer.answerTo(toIncoming(message)), answering);
        },
      }),
    ),
  );
}

type Seal = (outcome: Uint8Array) => SealedMessage;

/** An opened request: its content, its sender, and how to seal its answer. */
interface ReceivedCall {
  readonly data: Uint8Array;
  readonly call: Pick<Call, 'sender'>;
  readonly seal: Seal | undefined;
  readonly isExpired?: boolean | undefined;
}

async function answer(endpoint: Endpoint, message: Msg, answering: ServeContext): Promise<void> {
  const { instance, sealer, log, tracer, holder } = answering;
  if (!isForInbox(message, log)) return;
  const started = performance.now();
  const working = reportProgress(message, answering);
  let error: string | undefined;
  let seal: Seal | undefined;
  try {
    const received = await receive(endpoint, message, sealer, log);
    if (received === undefined) return;
    ({ seal } = received);
    if (received.isExpired || isLate(message.headers))
      throw new Failure('CALL_TOO_LATE', 'The request arrived after its caller had stopped waiting: send it again');
    if (endpoint.envelope === undefined) requireOwn(message, holder);
    const call = { subject: message.subject, timeoutMs: timeoutOf(message.headers), ...received.call };
    const parent = traceparentOf(message.headers?.get(traceHeader));
    const spec = { name: endpoint.subject, kind: 'server', parent } as const;
    const handle = async () => endpoint.handle(decodeBody(received.data), call);
    const body = (await (parent === undefined ? handle() : traced(tracer, spec, handle))) ?? {};
    await respond(message, { body }, seal, answering);
  } catch (thrown) {
    const failure = asFailure(thrown, message.subject, log);
    error = `${failure.code}: ${failure.message}`;
    await respondOrLog(message, { failure }, seal, answering);
  } finally {
    clearInterval(working);
  }
  instance.count(endpoint.name, performance.now() - started, error);
}

/** Reports every second that a call is in progress, if its caller requests that. */
function reportProgress(message: Msg, { outbox }: ServeContext): NodeJS.Timeout | undefined {
  if (!message.headers?.has(progressHeader)) return undefined;
  const headers = headersOf({ [progressHeader]: 'at work' });
  const report = () => outbox.send(() => message.respond(new Uint8Array(), { headers })).catch(() => undefined);
  return setInterval(() => void report(), progressEvery);
}

/** The versions that this process speaks. */
const own = rangeText(ownProtocols);

/**
 * @throws UNAVAILABLE when the caller belongs to another installation, or its version does not understand the
 * registry's.   Hosts send both when they begin a session.
 */
function requireOwn({ headers }: Msg, holder: RegistryHolder | undefined): void {
  if (holder === undefined) return;
  const theirs = headers?.get(installationHeader);
  if (theirs && theirs !== holder.installation) throw otherInstallation('gateway', theirs, holder);
  const spoken = headers?.get(protocolHeader);
  const refused = spoken && spoken !== own ? notUnderstood('gateway', readRange(spoken)) : undefined;
  if (refused !== undefined) throw refused;
}

/** Opens a request; undefined if it is ignored. @throws Failure when it is refused */
async function receive(
  endpoint: Endpoint,
  message: Msg,
  sealer: ResponderSeal,
  log?: Log,
): Promise<ReceivedCall | undefined> {
  const incoming = toIncoming(message);
  if (endpoint.envelope !== undefined) return openEnvelope(endpoint.envelope, message, incoming, log);
  const seal = sealer.answerTo(incoming);
  if (endpoint.secret && seal === undefined) {
    throw new Failure('SEAL_KEY_MISSING', `The answer on ${message.subject} is a secret: name a key to seal it to`);
  }
  return { data: sealer.open(incoming), call: {}, seal };
}

async function openEnvelope(
  envelope: Envelope,
  message: Msg,
  incoming: Incoming,
  log?: Log,
): Promise<ReceivedCall | undefined> {
  const found = await envelope(incoming);
  if (found === undefined) {
    log?.warn({ subject: message.subject }, 'dropped a message on the bus that is forged or repeated');
    return undefined;
  }
  if ('unknown' in found) {
    message.respond(new Uint8Array(), { headers: headersOf(found.unknown) });
    return undefined;
  }
  const { data, sender, seal, isExpired } = found;
  return { data, call: sender === undefined ? {} : { sender }, seal, isExpired };
}

/**
 * Whether the reply goes to an inbox. A reply to any other subject would be a message in our name, so such a request is
 * refused before anything is done.
 */
function isForInbox({ subject, reply }: Msg, log?: Log): boolean {
  if (isInboxFor(reply, subject)) return true;
  log?.warn(
    { subject, reply },
    'refused a request on the bus whose reply subject is not an inbox of a permitted caller',
  );
  return false;
}

function asFailure(error: unknown, subject: string, log?: Log): Failure {
  if (error instanceof Failure) return error;
  log?.error({ err: error, subject }, 'a call failed unexpectedly');
  return new Failure('INTERNAL', 'The call failed because of a fault in muster: its log on the server shows details');
}

type Outcome = Parameters<typeof encodeOutcome>[0];

/** @throws RESOURCE_EXHAUSTED when the answer is larger than the bus carries. */
async function respond(
  message: Msg,
  outcome: Outcome,
  seal: Seal | undefined,
  { outbox, log }: ServeContext,
): Promise<void> {
  const { data, headers } = seal === undefined ? inTheClear(outcome) : seal(encodeOutcome(outcome));
  try {
    await outbox.send(() => message.respond(data, headers && { headers: headersOf(headers) }));
  } catch (error) {
    if (error instanceof errors.InvalidArgumentError) {
      throw new Failure(
        'ANSWER_TOO_LARGE',
        `The answer has ${data.length} bytes, more than the bus allows: ask for fewer rows or for a summary`,
        { cause: error },
      );
    }
    log?.warn({ err: error, subject: message.subject }, 'an answer could not be sent');
  }
}

async function respondOrLog(
  message: Msg,
  outcome: Outcome,
  seal: Seal | undefined,
  answering: ServeContext,
): Promise<void> {
  try {
    await respond(message, outcome, seal, answering);
  } catch (error) {
    answering.log?.warn({ err: error, subject: message.subject }, 'a refusal could not be sent');
  }
}

function inTheClear(outcome: Outcome): SealedMessage {
  if ('body' in outcome) return { data: encodeBody(outcome.body) };
  return { data: encodeBody(outcome.failure), headers: failureHeaders(outcome.failure) };
}

/** The subjects at which an endpoint answers. */
function placesOf(endpoint: Endpoint, calledAs: string | undefined) {
  const place = { endpoint, subject: checked(endpoint) };
  if (calledAs === undefined || endpoint.envelope !== undefined) return [place];
  return [place, { endpoint, subject: instanceSubject(endpoint.subject, calledAs) }];
}

/** An endpoint may use wildcards only if its envelope identifies the sender. */
function checked({ subject, envelope }: Endpoint): string {
  return envelope === undefined ? checkSubject(subject) : checkPattern(subject);
}
