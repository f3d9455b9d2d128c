import type { Bus, Endpoint, Served, Service } from '#bus/bus.ts';
import { readOutcome } from '#bus/call/outcome.ts';
import { decodeBody, encodeBody } from '#bus/codec.ts';
import { otherInstallationReporter } from '#bus/report-once.ts';
import { sealOf } from '#bus/seal/aead.ts';
import { type KeyPair, makeKeyPair } from '#bus/seal/key-pair.ts';
import { fromHostSubject, hostSubject } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import type { Log, OwnInstallation } from '#contract/process-context.ts';
import { HereAnswer, type Holder, pingVerb, Welcome } from '#contract/wire/host-greeting.ts';
import { deadlineField, type HostSession, hostSideSession, unknownSessionHeader } from './host-session.ts';
import { RegistryTime } from './registry-time.ts';

/** How long the registry may take to answer each message of the handshake, in milliseconds. */
const greetedWithin = 5_000;
/** How often a request is sent in all, if the registry does not know its session. */
const maxAttempts = 3;

/** An endpoint that a host serves to the registry. */
interface HostEndpoint {
  readonly verb: string;
  handle(body: unknown): unknown;
}

/**
 * A host's connection to the registry. A session, which only the holder of the host's key can begin, seals its requests
 * and opens those of the registry. All other messages on the bus are ignored.
 */
export interface HostLine {
  readonly hostId: string;
  /**
   * Sends a request to the registry and returns its answer.
   * @throws Failure of the registry; as `Bus.request`; PERMISSION_DENIED when the host's row has another key, or
   *   another machine holds the host's lease; UNAVAILABLE when the registry's database was replaced meanwhile
   */
  ask(verb: string, body: unknown, timeoutMs: number): Promise<unknown>;
  /** Serves the registry's requests from now on, and its pings. */
  serve(service: Omit<Service, 'endpoints'>, endpoints: readonly HostEndpoint[]): Promise<Served>;
  /** Stops beginning sessions for a restarted registry or a new bus connection. */
  close(): void;
}

/** What a host needs to open its line. */
export interface HostLineOptions {
  /** Elapsed time in milliseconds, by a clock that never steps. */
  readonly monotonic: () => number;
  readonly log?: Log | undefined;
  /** The host's installation: a registry of another installation refuses it. */
  readonly installation?: Pick<OwnInstallation, 'id'>;
  /** The machine and folder that the host runs on. */
  readonly holder?: Holder;
  /** The cursor up to which the host has read the registry's changes. */
  readonly cursor?: () => string;
  /**
   * Called when the cursor belongs to a log that a restored database has replaced. Requests made before that fail with
   * UNAVAILABLE, because they were decided on the old log.
   */
  readonly onAnotherLog?: () => void;
}

/** Opens a host's connection. The first request begins the session. */
export function openHostLine(
  bus: Bus,
  hostId: string,
  key: KeyPair,
  { monotonic, log, installation, holder, cursor = () => '', onAnotherLog }: HostLineOptions,
): HostLine {
  const time = new RegistryTime(monotonic);
  const reportOthers = otherInstallationReporter(log);
  /** How often the registry's log was replaced. */
  let logs = 0;
  let session: Promise<HostSession> | undefined;
  const aboutHost = (): AboutHost => ({
    cursor: cursor(),
    holder,
    asksPermits: true,
    installation: installation?.id(),
  });
  const begun = (): Promise<HostSession> => {
    session ??= greet({ bus, hostId, key, time }, aboutHost()).then(({ begun: one, isOfAnotherLog }) => {
      if (isOfAnotherLog) {
        logs += 1;
        onAnotherLog?.();
      }
      return one;
    });
    const one = session;
    one.catch((error: unknown) => {
      if (error instanceof Failure) reportOthers(error);
      if (session === one) session = undefined;
    });
    return one;
  };
  const begin = (stale?: Promise<HostSession>): Promise<HostSession> => {
    if (session === stale) session = undefined;
    return begun();
  };
  // A registry that has just started has no session with the host, and can send it no request before there is one.
  const greeting = bus.subscribe(hostSubject(hostId, 'greet'), () => {
    begin(session).catch((err: unknown) => log?.debug({ err }, 'cannot connect to the registry yet'));
  });
  // After a reconnect the session continues if the registry still has it. Otherwise begin one before it is needed.
  const back = bus.onReconnect(() => {
    const current = begun();
    current
      .then(async (one) => {
        const { installation: _, ...here } = aboutHost();
        const answer = await askIn(bus, one, fromHostSubject(hostId, 'here'), here, greetedWithin);
        if (answer === undefined || HereAnswer.parse(readOutcome(answer)).isOfAnotherLog) await begin(current);
      })
      .catch((err: unknown) => log?.debug({ err }, 'cannot connect to the registry yet'));
  });
  return {
    hostId,
    async ask(verb, body, timeoutMs) {
      const before = logs;
      for (let tries = 1; ; tries += 1) {
        const asked = begun();
        const known = await asked;
        if (logs !== before) throw ofAnotherLog();
        const askedAt = time.now();
        const answer = await askIn(bus, known, fromHostSubject(hostId, verb), body, timeoutMs);
        if (answer !== undefined) {
          const said = readOutcome(answer);
          if (session === asked) time.record(askedAt, said);
          return said;
        }
        if (tries === maxAttempts)
          throw new Failure('HOST_SESSION_ENDED', 'The registry has no session for this host: try again');
        await begin(asked);
      }
    },
    serve(service, endpoints) {
      const ping: HostEndpoint = { verb: pingVerb, handle: () => ({}) };
      const served = [...endpoints, ping].map(
        ({ verb, handle }): Endpoint => ({
          name: verb,
          subject: hostSubject(hostId, verb),
          handle: (body) => handle(inTime(body, time)),
          envelope: async ({ subject, data }) => {
            const opened = (await session?.catch(() => undefined))?.openRequest(subject, data);
            if (opened === undefined) return undefined;
            return { data: opened.data, seal: (outcome) => ({ data: opened.seal(outcome) }) };
          },
        }),
      );
      return bus.serve({ ...service, isAlone: true, endpoints: served });
    },
    close() {
      greeting.close();
      back.close();
    },
  };
}

/**
 * Sends a request in a session and returns the opened answer; undefined if the registry does not know the session, so
 * it did nothing.
 */
function askIn(
  bus: Bus,
  session: HostSession,
  subject: string,
  body: unknown,
  timeoutMs: number,
): Promise<Uint8Array | undefined> {
  const { data, open } = session.sealRequest(subject, encodeBody(body));
  const seal = sealOf(data);
  return bus.exchange(subject, data, {
    timeoutMs,
    take(incoming) {
      if (incoming.header(unknownSessionHeader) === seal) return { answer: undefined };
      const answer = open(incoming.data);
      return answer && { answer };
    },
  });
}

/** Returns the request without its deadline. @throws DEADLINE_EXCEEDED when the deadline has passed */
function inTime(said: unknown, time: RegistryTime): unknown {
  if (typeof said !== 'object' || said === null || !(deadlineField in said)) return said;
  const { [deadlineField]: deadline, ...body } = said;
  if (typeof deadline === 'number' && (time.left(deadline) ?? 1) <= 0) {
    throw new Failure('CALL_TOO_LATE', 'The request arrived after its caller had stopped waiting: send it again');
  }
  return body;
}

function ofAnotherLog(): Failure {
  return new Failure(
    'DATABASE_REPLACED',
    'The registry’s database was restored from a copy: the host reads all of it again',
  );
}

/** What a host reports about itself when it begins a session. */
interface AboutHost {
  readonly cursor: string;
  readonly holder: Holder | undefined;
  readonly asksPermits: true;
  readonly installation: string | undefined;
}

/** What beginning a session needs. */
interface Greeter {
  readonly bus: Bus;
  readonly hostId: string;
  readonly key: KeyPair;
  readonly time: RegistryTime;
}

/** Begins a session. The registry uses it once the host has sent a message in it, so this sends one. */
async function greet(
  { bus, hostId, key, time }: Greeter,
  { installation, ...here }: AboutHost,
): Promise<{ readonly begun: HostSession; readonly isOfAnotherLog: boolean }> {
  const moment = makeKeyPair();
  const hello = { hostKey: key.publicKey, hostMoment: moment.publicKey };
  const { session, registryMoment, refused } = await bus.exchange(
    fromHostSubject(hostId, 'hello'),
    encodeBody({ ...hello, installation }),
    {
      timeoutMs: greetedWithin,
      take({ data }) {
        const { data: welcome } = Welcome.safeParse(decodeBody(data));
        return welcome?.to === moment.publicKey ? { answer: welcome } : undefined;
      },
    },
  );
  if (refused !== undefined) throw Failure.fromJSON(refused);
  if (session === undefined || registryMoment === undefined) {
    throw new Failure('INTERNAL', 'The registry opened no session and gave no reason: update it');
  }
  const begun = hostSideSession({ hostId, session, registryMoment, ...hello }, key, moment);
  const askedAt = time.now();
  const answer = await askIn(bus, begun, fromHostSubject(hostId, 'here'), here, greetedWithin);
  const said = answer === undefined ? {} : readOutcome(answer);
  time.begin();
  time.record(askedAt, said);
  return { begun, isOfAnotherLog: HereAnswer.parse(said).isOfAnotherLog };
}
