import { setTimeout as delay } from 'node:timers/promises';
import { type ConnectionOptions, errors, type NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import type { BusOptions } from '#bus/bus.ts';
import { authenticatorOf } from '#bus/identity/authenticator.ts';
import { inboxOf } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import { faultOfAddresses, serversOf, wantsTls } from './address.ts';
import { checkIdentity } from './identity-check.ts';
import { type JoinFault, joinFault, memberName, whyRefused } from './join-fault.ts';

/**
 * The pause between two attempts to connect, and its jitter, so that processes do not all return at once; in
 * milliseconds.
 */
const retryEvery = 500;
const retryJitter = 500;
/** The longest pause between two attempts at a first connection, in milliseconds. Each failure doubles the pause. */
const maxPause = 10_000;
/** How long a server may take to accept a connection, in milliseconds. */
const answersWithin = 3_000;
/**
 * A silent server is noticed when the third ping is due and none was answered: after 4.5 s. After a cut, TCP may wait
 * for about as long again as the cut lasted, so the connection is replaced early.
 */
const pingEvery = 1_500;

/**
 * Makes the first connection, however long that takes; `connectBus` documents the errors. The cause of a failure is
 * logged in one line, and again only if it changes.
 */
export async function join(options: BusOptions): Promise<NatsConnection> {
  const fault = faultOfAddresses(options.url);
  if (fault !== undefined) throw new Failure('BUS_ADDRESS_INVALID', `The bus cannot be joined: its address ${fault}`);
  const report = reporter(options, 'the bus cannot be joined yet.');
  for (let pause = retryEvery; ; pause = Math.min(2 * pause, maxPause)) {
    try {
      const connection = await connect(natsOptions(options));
      if (pause > retryEvery) options.log?.info('the bus is joined');
      return connection;
    } catch (error) {
      throwIfFinal(error, options);
      report(await faultsOf(error, options));
      await pauseFor(pause, options.signal);
    }
  }
}

/**
 * While a connection is lost, finds out why and logs that in one line, again only if it changes. The client itself
 * retries silently. The first check comes after this many milliseconds, each further one later.
 */
export async function reportWhileLost(
  options: BusOptions,
  isLost: () => boolean,
  firstAfter = maxPause,
): Promise<void> {
  const report = reporter(options, 'the bus cannot be joined again yet.');
  for (let pause = firstAfter; ; pause = Math.min(2 * pause, 6 * maxPause)) {
    await delay(pause, undefined, { ref: false });
    if (!isLost()) return;
    const faults = await tryServers(options);
    if (!isLost()) return;
    report(faults);
  }
}

/** Logs faults in one line if they differ from the last ones. */
function reporter({ log }: BusOptions, what: string): (faults: readonly ServerFault[]) => void {
  let reported = '';
  return (faults) => {
    const words = faults.map(({ server, fault }) => `${server}: ${fault.words}`).join('; ');
    if (words === reported || words === '') return;
    reported = words;
    log?.warn({ kinds: faults.map(({ fault }) => fault.kind) }, `${what} ${words}`);
  };
}

function throwIfFinal(error: unknown, { member }: BusOptions): void {
  if (error instanceof errors.AuthorizationError) {
    const message = `The bus refuses this ${memberName(member)}: ${whyRefused(member)}`;
    throw new Failure('BUS_CREDENTIAL_REFUSED', message, { cause: error });
  }
  if (error instanceof errors.InvalidArgumentError) {
    throw new Failure('BUS_ADDRESS_INVALID', `The bus cannot be joined: ${error.message}`, { cause: error });
  }
}

/** What is wrong with a server of the bus. */
export interface ServerFault {
  readonly server: string;
  readonly fault: JoinFault;
}

/** The client reports only the last server's error: if there are several servers, each is tried separately. */
async function faultsOf(error: unknown, options: BusOptions): Promise<ServerFault[]> {
  const servers = serversOf(options.url);
  const [only = ''] = servers;
  if (servers.length > 1) return tryServers(options);
  return [{ server: only, fault: joinFault(error, dialled(only, options)) }];
}

/** Tries each server of the bus on its own, and returns what is wrong with those that cannot be joined. */
export async function tryServers(options: BusOptions): Promise<ServerFault[]> {
  const tried = serversOf(options.url).map(async (server): Promise<ServerFault[]> => {
    try {
      const connection = await connect({ ...natsOptions(options), servers: [server], reconnect: false });
      await connection.close();
      return [];
    } catch (error) {
      return [{ server, fault: joinFault(error, dialled(server, options)) }];
    }
  });
  return (await Promise.all(tried)).flat();
}

const dialled = (server: string, { member, authority }: BusOptions) => ({
  server,
  member,
  hasAuthority: authority !== undefined,
  answersWithin,
});

async function pauseFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(milliseconds + Math.random() * retryJitter, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    throw new Failure('STOPPED', 'Waiting for the bus was stopped', { cause: error });
  }
}

function natsOptions({ url, member, credential, name, authority }: BusOptions): ConnectionOptions {
  const tls = { ...(authority === undefined ? {} : { ca: authority }), checkServerIdentity: checkIdentity };
  return {
    servers: serversOf(url),
    ...(member === undefined ? {} : { inboxPrefix: inboxOf(member) }),
    ...(credential === undefined ? {} : { authenticator: authenticatorOf(credential) }),
    ...(name === undefined ? {} : { name }),
    // A server may name others of its cluster: they are joined only if they must encrypt, too.
    ...(wantsTls(url) ? { tls } : { ignoreClusterUpdates: true }),
    timeout: answersWithin,
    maxReconnectAttempts: -1,
    reconnectTimeWait: retryEvery,
    reconnectJitter: retryJitter,
    reconnectJitterTLS: retryJitter,
    pingInterval: pingEvery,
    maxPingOut: 2,
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
  };
}
