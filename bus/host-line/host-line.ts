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
import { deadlineField, type HostSession, hostsSession, strangeHeader } from './host-session.ts';
import { RegistryTime } from './registry-time.ts';

/** How long the registry may take to begin a session, in milliseconds. */
const greetedWithin = 5_000;
/** How often a request is sent again because the registry does not know its session. */
const maxAttempts = 3;

/** One endpoint that a host answers to the registry. */
interface HostEndpoint {
  readonly verb: string;
  handle(body: unknown): unknown;
}

/**
 * A host's line to the registry. Its requests are sealed by a session that only the holder of the host's key can begin.
 * The same session opens the registry's requests; everything else on the bus is ignored.
 */
export interface HostLine {
  readonly hostId: string;
  /**
   * Asks the registry. @throws Failure as `Bus.request`; PERMISSION_DENIED when the host's row has another key, or
   * another machine is the host.
   */
  ask(verb: string, body: unknown, timeoutMs: number): Promise<unknown>;
  /** Answers the registry from now on. */
  serve(service: Omit<Service, 'endpoints'>, endpoints: readonly HostEndpoint[]): Promise<Served>;
  /** Stops listening for a registry that starts over. */
  close(): void;
}

/** What a host needs to open its line. */
export interface HostLineOptions {
  /** Elapsed time in milliseconds, by a clock that never steps. */
  readonly monotonic: () => number;
  readonly log?: Log | undefined;
  /** The host's installation: the registry of another installation begins no session with it. */
  readonly installation?: Pick<OwnInstallation, 'id'>;
  /** Which machine the host is. */
  readonly holder?: Holder;
  /** The cursor up to which the host has read. */
  readonly cursor?: () => string;
  /**
   * Called when the registry's log is not that of the cursor. Earlier requests fail as `unavailable`, because they were
   * decided on a log that no longer exists.
   */
  readonly onAnotherLog?: () => void;
}

/** Opens a host's line. It begins a session with the first request. */
export function openHostLine(
  bus: Bus,
  hostId: string,
  key: KeyPair,
  { monotonic, log, installation, holder, cursor = () => '', onAnotherLog }: HostLineOptions,
): HostLine {
  const time = new RegistryTime(monotonic);
  const reportOthers = otherInstallationReporter(log);
  /** How often the registry's log turned out to be another one. */
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
  // A registry that has just started knows no session, and can ask nothing before the host begins one.
  const greeting = bus.subscribe(hostSubject(hostId, 'greet'), () => {
    begin(session).catch((err: unknown) => log?.debug({ err }, 'cannot connect to the registry yet'));
  });
  // Over a new connection the session continues if the registry still knows it; otherwise a new one begins before it is
  // needed.
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
          if (session === asked) time.hear(askedAt, said);
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
            const heard = (await session?.catch(() => undefined))?.hear(subject, data);
            if (heard === undefined) return undefined;
            return { data: heard.data, seal: (outcome) => ({ data: heard.seal(outcome) }) };
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

/** The opened answer; undefined if the registry does not know the session, so nothing was done. */
function askIn(
  bus: Bus,
  session: HostSession,
  subject: string,
  body: unknown,
  timeoutMs: number,
): Promise<Uint8Array | undefined> {
  const { data, open } = session.ask(subject, encodeBody(body));
  const seal = sealOf(data);
  return bus.exchange(subject, data, {
    timeoutMs,
    take(incoming) {
      if (incoming.header(strangeHeader) === seal) return { answer: undefined };
      const answer = open(incoming.data);
      return answer && { answer };
    },
  });
}

/** The request without its expiry. @throws DEADLINE_EXCEEDED when it has expired: nothing is done */
function inTime(said: unknown, time: RegistryTime): unknown {
  if (typeof said !== 'object' || said === null || !(deadlineField in said)) return said;
  const { [deadlineField]: deadline, ...body } = said;
  if (typeof deadline === 'number' && (time.left(deadline) ?? 1) <= 0) {
    throw new Failure('CALL_TOO_LATE', 'The request arrived after its caller had stopped waiting: ask again');
  }
  return body;
}

function ofAnotherLog(): Failure {
  return new Failure(
    'DATABASE_REPLACED',
    'The registry’s database was restored from a copy: the host reads everything again',
  );
}

/** What a host reports about itself when a session begins. */
interface AboutHost {
  readonly cursor: string;
  readonly holder: Holder | undefined;
  readonly asksPermits: true;
  readonly installation: string | undefined;
}

/** Who begins a session with whom, and by which time. */
interface Greeter {
  readonly bus: Bus;
  readonly hostId: string;
  readonly key: KeyPair;
  readonly time: RegistryTime;
}

/** Begins a session. It counts from the first message that is sent in it. */
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
  const begun = hostsSession({ hostId, session, registryMoment, ...hello }, key, moment);
  const askedAt = time.now();
  const answer = await askIn(bus, begun, fromHostSubject(hostId, 'here'), here, greetedWithin);
  const said = answer === undefined ? {} : readOutcome(answer);
  time.begin();
  time.hear(askedAt, said);
  return { begun, isOfAnotherLog: HereAnswer.parse(said).isOfAnotherLog };
}
