import { randomBytes } from 'node:crypto';
import type { Bus, Envelope, Sender } from '#bus/bus.ts';
import { readOutcome } from '#bus/call/outcome.ts';
import { encodeBody } from '#bus/codec.ts';
import { sealOf } from '#bus/seal/aead.ts';
import { makeKeyPair } from '#bus/seal/key-pair.ts';
import { hostSubject, senderOf } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import { type Hello, type Holder, isSameHolder, pingVerb } from '#contract/wire/host-greeting.ts';
import {
  deadlineField,
  type HostSession,
  registrySideSession,
  sessionIdBytes,
  unknownSessionHeader,
} from './host-session.ts';
import { awaitSilence, type MonitoredHost } from './host-silence.ts';

/**
 * How many sessions are kept per host, and in all. Beyond that, the oldest is dropped; its host begins a new one when
 * needed.
 */
const [maxPerHost, maxTotal] = [4, 4_096];
/**
 * How long a host may be silent during a request, in milliseconds: it reports every second. After that, the
 * request or its answer was lost on the way, or the host hangs.
 */
const silenceMs = 3_000;
/** How long a request waits for its host to begin a session, in milliseconds. */
const begunWithin = 2_000;

/** The identity of a host in its row. */
export interface HostRow {
  readonly key?: string | null | undefined;
  readonly keyEpoch: number;
  readonly holder?: Holder | null | undefined;
}

interface Session extends Sender {
  readonly id: string;
  readonly keys: HostSession;
  /** Whether the host's row is bound to the key that began the session. */
  isBound: boolean;
  holder: Holder | undefined;
  asksPermits: boolean;
  /** When the host last sent a message in it, by `HostLines.now`. */
  seenAt: number;
}

/** The registry's connections to its hosts. Only the holder of a host's key can begin a session as that host. */
export class HostLines {
  /** The registry's time in milliseconds, by a clock that never steps. Deadlines of its requests are on this clock. */
  readonly now: () => number;
  readonly #bus: Bus;
  readonly #sessions = new Map<string, Session>();
  /** The session that requests to each host use: the newest in which the host has sent a message. */
  readonly #current = new Map<string, Session>();
  readonly #listeners = new Set<(hostId: string) => void>();
  readonly #instance: string;

  /** `instance` is the registry's: hosts address requests for this registry to it. */
  constructor(bus: Bus, now: () => number, instance: string) {
    this.#bus = bus;
    this.now = now;
    this.#instance = instance;
  }

  /**
   * Begins a session, by the host's row as it is. It is used once the host has sent a message in it, which requires the
   * host's private key.
   */
  begin(
    hostId: string,
    hello: Hello,
    { isBound, keyEpoch, isDirected }: Pick<Sender, 'isBound' | 'keyEpoch' | 'isDirected'>,
  ): { session: string; registryMoment: string; registry: string } {
    const moment = makeKeyPair();
    const id = randomBytes(sessionIdBytes).toString('base64url');
    const keys = registrySideSession({ hostId, session: id, registryMoment: moment.publicKey, ...hello }, moment);
    const isOpen = (): boolean => this.#sessions.get(id) === session;
    const session: Session = {
      hostId,
      key: hello.hostKey,
      keyEpoch,
      isDirected,
      id,
      keys,
      isBound,
      get isOpen() {
        return isOpen();
      },
      holder: undefined,
      asksPermits: false,
      seenAt: this.now(),
      admit: (here) => {
        session.asksPermits = here.asksPermits;
        this.#admit(session, here.holder);
      },
      bind: () => {
        session.isBound = true;
        this.#endOthers(session, ({ key }) => key !== session.key);
        this.#useIfNewest(session);
      },
    };
    this.#makeRoom(hostId);
    this.#sessions.set(id, session);
    return { session: id, registryMoment: moment.publicKey, registry: this.#instance };
  }

  /** Requests a session from a host that had one before: its process may have been replaced. */
  renew(hostId: string): void {
    if (this.#current.has(hostId)) this.greet(hostId);
  }

  /** Requests that a host begin a session with this registry. */
  greet(hostId: string): void {
    this.#bus.publish(hostSubject(hostId, 'greet'), { registry: this.#instance });
  }

  /** Opens messages from hosts. Those of an unknown session are dropped, and answered with `unknownSessionHeader`. */
  readonly envelope: Envelope = async ({ subject, data }) => {
    const id = Buffer.from(data.subarray(0, sessionIdBytes)).toString('base64url');
    const session = this.#sessions.get(id);
    if (session === undefined) return { unknown: { [unknownSessionHeader]: sealOf(data) } };
    const opened = session.hostId === senderOf(subject) ? session.keys.openRequest(subject, data) : undefined;
    if (opened === undefined) return undefined;
    session.seenAt = this.now();
    this.#useIfNewest(session);
    return {
      data: opened.data,
      sender: session,
      seal: (outcome) => ({ data: opened.seal(outcome) }),
    };
  };

  /**
   * Ends the sessions that a host's row no longer admits: the host's key was forgotten, or another machine took over.
   * Another registry may have written that.
   */
  endRevoked(hostId: string, { key, keyEpoch, holder }: HostRow): void {
    for (const session of [...this.#sessions.values()]) {
      if (session.hostId !== hostId) continue;
      const isOtherKey = session.keyEpoch !== keyEpoch || (key != null && session.key !== key);
      const isOtherHolder = holder != null && session.holder !== undefined && !isSameHolder(session.holder, holder);
      if (isOtherKey || isOtherHolder) this.#end(session);
    }
  }

  /**
   * Sends a request to a host and returns its answer.
   * @throws Failure of the host; as `Bus.request`; UNAVAILABLE when the host has begun no session, or has missed its
   *   beats and answers no ping; FAILED_PRECONDITION when the request needs a permit that the host's version cannot get
   */
  async ask(hostId: string, verb: string, body: object, timeoutMs: number): Promise<unknown> {
    const deadline = this.now() + timeoutMs;
    const session = this.#current.get(hostId) ?? (await this.#awaitSession(hostId, Math.min(timeoutMs, begunWithin)));
    if ('ticket' in body && !session.asksPermits) throw hostOutdated(hostId);
    const asking = this.#askIn(session, verb, body, deadline).catch((error: unknown) => {
      // The host's process may have been replaced by one that does not know this session.
      this.greet(hostId);
      throw asSilence(error);
    });
    const answered = new AbortController();
    const lost = awaitSilence(this.#monitor(session), answered.signal).then((isSilent) => {
      if (!isSilent) return asking;
      this.greet(hostId);
      throw new Failure('HOST_SILENT', `Host ${hostId} has missed its beats and does not answer: try again`);
    });
    try {
      return readOutcome(await Promise.race([asking, lost]));
    } finally {
      answered.abort();
    }
  }

  /** Pings a host, and returns whether it answered; undefined if that cannot be known, as without a session. */
  async ping(hostId: string, withinMs: number): Promise<boolean | undefined> {
    const session = this.#current.get(hostId);
    return session && this.#monitor(session).ping(withinMs);
  }

  async #askIn(session: Session, verb: string, body: object, deadline: number): Promise<Uint8Array> {
    const subject = hostSubject(session.hostId, verb);
    const { data, open } = session.keys.sealRequest(subject, encodeBody({ ...body, [deadlineField]: deadline }));
    return this.#bus.exchange(subject, data, {
      timeoutMs: deadline - this.now(),
      mayBeForged: true,
      silenceMs,
      take(incoming) {
        const answer = open(incoming.data);
        return answer && { answer };
      },
    });
  }

  /** Monitors the host of a session, also if it begins a later session meanwhile. */
  #monitor(session: Session): MonitoredHost {
    const { hostId } = session;
    const current = () => this.#current.get(hostId) ?? session;
    return {
      now: this.now,
      seenAt: () => current().seenAt,
      ping: async (withinMs) => {
        const asked = current();
        try {
          await this.#askIn(asked, pingVerb, {}, this.now() + withinMs);
        } catch (error) {
          // Older versions answer no ping, and neither does a host that has just stopped: the next request shows which.
          return error instanceof Failure && error.code === 'deadline_exceeded' ? false : undefined;
        }
        asked.seenAt = this.now();
        return true;
      },
    };
  }

  #admit(session: Session, holder: Holder): void {
    this.#endOthers(session, ({ holder: known }) => known !== undefined && !isSameHolder(known, holder));
    session.holder = holder;
    this.#useIfNewest(session);
  }

  /** Ends the other sessions of the host for which `isOther` is true; none if `session` itself has ended. */
  #endOthers(session: Session, isOther: (one: Session) => boolean): void {
    if (!session.isOpen) return;
    for (const one of [...this.#sessions.values()]) {
      if (one.hostId !== session.hostId || !isOther(one)) continue;
      this.#end(one);
    }
  }

  #end(session: Session): void {
    this.#sessions.delete(session.id);
    if (this.#current.get(session.hostId) === session) this.#current.delete(session.hostId);
  }

  /** Makes a session that may be used the host's current one, unless a later session is. */
  #useIfNewest(session: Session): void {
    if (!session.isBound || session.holder === undefined) return;
    // Meanwhile the session may have been dropped.
    if (this.#sessions.get(session.id) !== session || this.#current.get(session.hostId) === session) return;
    // A late message of an earlier session must not replace a later session.
    const known = this.#current.get(session.hostId);
    const order = [...this.#sessions.values()];
    if (known !== undefined && order.indexOf(known) > order.indexOf(session)) return;
    this.#current.set(session.hostId, session);
    for (const listener of [...this.#listeners]) listener(session.hostId);
  }

  #awaitSession(hostId: string, milliseconds: number): Promise<Session> {
    this.greet(hostId);
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#listeners.delete(listen);
        const session = this.#current.get(hostId);
        if (session !== undefined) resolve(session);
        else reject(new Failure('HOST_SILENT', `Host ${hostId} has no session with this registry: try again`));
      };
      const listen = (begun: string): void => {
        if (begun === hostId) settle();
      };
      const timer = setTimeout(settle, milliseconds);
      this.#listeners.add(listen);
    });
  }

  /** Drops the oldest unused session if there are too many, so that beginning sessions cannot exhaust memory. */
  #makeRoom(hostId: string): void {
    const isIdle = (one: Session) => this.#current.get(one.hostId) !== one;
    const ofHost = [...this.#sessions.values()].filter((one) => one.hostId === hostId);
    const [oldest] = ofHost.filter(isIdle);
    if (ofHost.length >= maxPerHost && oldest) this.#sessions.delete(oldest.id);
    if (this.#sessions.size < maxTotal) return;
    const [first] = this.#sessions.values();
    const idle = [...this.#sessions.values()].find(isIdle) ?? first;
    if (idle !== undefined) this.#sessions.delete(idle.id);
  }
}

function hostOutdated(hostId: string): Failure {
  return new Failure(
    'HOST_OUTDATED',
    `Nothing was done: host ${hostId} runs an older version of muster, which might act long after the caller gave up: update and restart muster on it`,
  );
}

/** Converts an error to the failure that a host is silent, if it means that. */
function asSilence(error: unknown): unknown {
  if (!(error instanceof Failure) || !['unavailable', 'deadline_exceeded'].includes(error.code)) return error;
  const reason = error.code === 'unavailable' ? 'HOST_SILENT' : 'HOST_TIMED_OUT';
  return new Failure(reason, error.message, { cause: error });
}
