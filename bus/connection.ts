import { setTimeout as delay } from 'node:timers/promises';
import { errors, type NatsConnection } from '@nats-io/nats-core';
import { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import { type Tracer, traceHeader } from '#contract/tracer.ts';
import { ownProtocols, type ProtocolRange, rangeText } from '#contract/wire/protocol-range.ts';
import type { Bus, BusOptions, RequestOptions, RunningService, Subscription } from './bus.ts';
import { Inbox } from './call/inbox.ts';
import { Outbox } from './call/outbox.ts';
import { ask, exchange } from './call/request.ts';
import { serveOver } from './call/serve.ts';
import { decodeBody, encodeBody, installationHeader, protocolHeader } from './codec.ts';
import { join, reportWhileLost } from './join/join.ts';
import { BusMeter } from './meter.ts';
import { refusalReporter } from './report-once.ts';
import { CallerSeal, ResponderSeal } from './seal/sealed-call.ts';
import { checkPattern, checkSubject, inboxOf } from './subjects.ts';

/** How long a request waits for a lost connection, in milliseconds, before it fails with UNAVAILABLE. */
const connectionWithin = 3_000;
/** How long the server may take to answer a ping, in milliseconds. */
const roundTripWithin = 1_000;
/** How long to wait until the last messages are sent, in milliseconds. */
const drainWithin = 1_000;

/**
 * Connects to the bus. Waits for the first connection without limit, and reconnects forever.
 * @throws UNAUTHENTICATED when the server refuses the credential, INVALID_ARGUMENT when the address is
 * invalid or leads to another machine unencrypted, CANCELED when the signal ended the wait.
 */
export async function connectBus(options: BusOptions): Promise<Bus> {
  return busOver(await join(options), options);
}

/** The state of a connection, and the listeners for its reconnects. */
interface Link {
  readonly connected: boolean;
  /** How often the server or the client reported that this side does not keep up. */
  readonly slowConsumers: number;
  readonly listeners: Set<() => void>;
  /** Resolves once it is open; false if `milliseconds` pass first. */
  up(milliseconds: number): Promise<boolean>;
}

function isForSubscription(error: Error): boolean {
  return error instanceof errors.PermissionViolationError && error.operation === 'subscription';
}

/** Whether the server refuses this process's credential: its certificate has expired, or its key was revoked. */
function isRefusal(error: Error): boolean {
  return error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError;
}

function call(listener: () => void, log: Log | undefined): void {
  try {
    listener();
  } catch (error) {
    log?.error({ err: error }, 'a task after a reconnect failed');
  }
}

function linkOf(connection: NatsConnection, options: BusOptions): Link {
  const { log } = options;
  let connected = true;
  let slowConsumers = 0;
  const listeners = new Set<() => void>();
  const follow = async (): Promise<void> => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        connected = false;
        log?.warn({ server: status.server }, 'the connection to the bus is lost');
        void reportWhileLost(options, () => !connected && !connection.isClosed());
      } else if (status.type === 'reconnect') {
        connected = true;
        log?.info({ server: status.server }, 'the connection to the bus is back');
        for (const listener of [...listeners]) call(listener, log);
      } else if (status.type === 'slowConsumer') {
        slowConsumers += 1;
      } else if (status.type === 'error' && !isForSubscription(status.error)) {
        // The server disconnects a client that does not read its messages, and reports it only in these words.
        if (/slow consumer/i.test(status.error.message)) slowConsumers += 1;
        if (isRefusal(status.error)) options.onRefused?.();
        log?.warn({ err: status.error }, 'the bus reported an error');
      }
    }
    connected = false;
  };
  void follow();
  const up = (milliseconds: number): Promise<boolean> =>
    new Promise((resolve) => {
      const settle = (result: boolean) => {
        clearTimeout(timer);
        listeners.delete(isUp);
        resolve(result);
      };
      const isUp = () => settle(true);
      const timer = setTimeout(() => settle(false), milliseconds);
      listeners.add(isUp);
    });
  return {
    get connected() {
      return connected;
    },
    get slowConsumers() {
      return slowConsumers;
    },
    listeners,
    up,
  };
}

function busOver(connection: NatsConnection, options: BusOptions): Bus {
  const { member, log, tracer, installation, protocols = ownProtocols } = options;
  const reportRefusal = refusalReporter(log);
  const link = linkOf(connection, options);
  const outbox = new Outbox();
  const asking = {
    inbox: new Inbox(connection, outbox, inboxOf(member ?? { kind: 'start' })),
    seal: new CallerSeal(),
  };
  const sealer = new ResponderSeal();
  const served = new Set<RunningService>();
  const meter = new BusMeter(connection, link);
  let closing: Promise<void> | undefined;
  return {
    get connected() {
      return link.connected;
    },
    get figures() {
      return meter.read();
    },
    get sealKey() {
      return sealer.publicKey;
    },
    roundTrip: () => roundTripOf(connection, link),
    async request(subject, body, options) {
      return meter.time(async () => {
        const timeoutMs = await awaitConnection(link, closing !== undefined, subject, options.timeoutMs);
        const asked = { ...aboutUs(withTrace(options, tracer), installation, protocols), timeoutMs };
        return ask(asking, subject, body, asked).catch((error: unknown) => {
          if (error instanceof Failure) reportRefusal(error);
          throw error;
        });
      });
    },
    async exchange(subject, data, options) {
      return meter.time(async () => {
        const { headers } = withTrace(options, tracer);
        const timeoutMs = await awaitConnection(link, closing !== undefined, subject, options.timeoutMs);
        return exchange(asking.inbox, subject, data, { ...options, timeoutMs, ...(headers && { headers }) });
      });
    },
    async serve(service) {
      const one = await serveOver(connection, service, { outbox, sealer, log, tracer, holder: installation?.holder });
      served.add(one);
      return one;
    },
    publish(subject, body) {
      const checked = checkSubject(subject);
      if (!link.connected || closing !== undefined) return;
      const data = encodeBody(body);
      outbox
        .send(() => connection.publish(checked, data))
        .catch((error: unknown) => log?.warn({ err: error, subject }, 'a hint could not be published'));
    },
    subscribe: (subject, listener) => subscribeOver(connection, checkPattern(subject), listener, log),
    onReconnect(listener) {
      link.listeners.add(listener);
      return { close: () => void link.listeners.delete(listener) };
    },
    close: () => (closing ??= closeConnection(connection, outbox, served)),
  };
}

/** The same headers with the current trace. */
function withTrace(options: RequestOptions, tracer: Tracer | undefined): RequestOptions {
  const trace = tracer?.current();
  return trace === undefined ? options : { ...options, headers: { ...options.headers, [traceHeader]: trace } };
}

/**
 * The same headers with the installation of this process, once it is known, and its versions. A registry sends
 * neither, because it may ask the registry of any installation.
 */
function aboutUs(
  options: RequestOptions,
  installation: BusOptions['installation'],
  protocols: ProtocolRange,
): RequestOptions {
  if (installation === undefined || installation.holder !== undefined) return options;
  const id = installation.id();
  const own = { [protocolHeader]: rangeText(protocols), ...(id !== undefined && { [installationHeader]: id }) };
  return { ...options, headers: { ...options.headers, ...own } };
}

/** Waits for the connection, and returns how many of `timeoutMs` are left. @throws UNAVAILABLE when it stays down */
async function awaitConnection(link: Link, isClosing: boolean, subject: string, timeoutMs: number): Promise<number> {
  if (isClosing) throw new Failure('BUS_UNAVAILABLE', 'This process has left the bus');
  const started = performance.now();
  if (!link.connected && !(await link.up(Math.min(timeoutMs, connectionWithin)))) {
    throw new Failure('BUS_UNAVAILABLE', `The bus cannot be reached for ${subject}: try again`);
  }
  return timeoutMs - (performance.now() - started);
}

async function roundTripOf(connection: NatsConnection, link: Link): Promise<number> {
  if (!link.connected) throw new Failure('BUS_UNAVAILABLE', 'The connection to the bus is lost');
  const late = delay(roundTripWithin, undefined, { ref: false });
  const asked = performance.now();
  // The client measures in whole milliseconds, by the time of day.
  const answered = connection.rtt().then(
    () => performance.now() - asked,
    () => undefined,
  );
  const took = await Promise.race([answered, late]);
  if (took === undefined) throw new Failure('BUS_UNAVAILABLE', `The bus did not answer within ${roundTripWithin} ms`);
  return took;
}

function subscribeOver(
  connection: NatsConnection,
  pattern: string,
  listener: (body: unknown, subject: string) => void,
  log: Log | undefined,
): Subscription {
  const subscription = connection.subscribe(pattern, {
    callback: (error, message) => {
      if (error !== null)
        return log?.error({ err: error, subject: pattern }, 'the bus does not let this user subscribe to it');
      try {
        listener(decodeBody(message.data), message.subject);
      } catch (thrown) {
        log?.error({ err: thrown, subject: message.subject }, 'a message could not be handled');
      }
    },
  });
  return { close: () => subscription.unsubscribe() };
}

async function closeConnection(
  connection: NatsConnection,
  outbox: Outbox,
  served: ReadonlySet<RunningService>,
): Promise<void> {
  await Promise.all([...served].map((one) => one.stop()));
  outbox.flush();
  const drained = connection.drain().catch(() => undefined);
  await Promise.race([drained, delay(drainWithin, undefined, { ref: false })]);
  await connection.close();
}
