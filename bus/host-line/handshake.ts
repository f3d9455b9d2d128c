import type { Bus } from '#bus/bus.ts';
import { readOutcome } from '#bus/call/outcome.ts';
import { decodeBody, encodeBody } from '#bus/codec.ts';
import { sealOf } from '#bus/seal/aead.ts';
import { type KeyPair, makeKeyPair } from '#bus/seal/key-pair.ts';
import { fromHostSubject } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import { HereAnswer, type Holder, Welcome } from '#contract/wire/host-greeting.ts';
import type { ProtocolRange } from '#contract/wire/protocol-range.ts';
import { type HostSession, hostSideSession, unknownSessionHeader } from './host-session.ts';
import { RegistryTime } from './registry-time.ts';

/** How long the registry may take to answer each message of the handshake, in milliseconds. */
const greetedWithin = 5_000;
/** How long a registry may be silent about a request, in milliseconds: then it has died, hangs or is cut off. */
const silenceMs = 3_000;

/** A host's session with one registry. */
export interface RegistryLink {
  /** The registry's instance; undefined for one of an older version, which has the bus for itself. */
  readonly registry: string | undefined;
  readonly session: HostSession;
  /** The registry's time. */
  readonly time: RegistryTime;
}

/** The inputs of a host for the handshake that begins a session. */
export interface HandshakeOptions {
  readonly bus: Bus;
  readonly hostId: string;
  readonly key: KeyPair;
  /** Elapsed time in milliseconds, by a clock that never steps. */
  readonly monotonic: () => number;
}

/** A host's report about itself when it begins a session. */
export interface HostAnnouncement {
  readonly cursor: string;
  readonly holder: Holder | undefined;
  readonly asksPermits: true;
  readonly installation: string | undefined;
  readonly protocols: ProtocolRange;
}

/** Negotiates a session with a registry, or with the first that answers. It is used once `introduce` has succeeded. */
export async function negotiateSession(
  { bus, hostId, key, monotonic }: HandshakeOptions,
  { installation, protocols }: HostAnnouncement,
  wanted?: string,
): Promise<RegistryLink> {
  const moment = makeKeyPair();
  const hello = { hostKey: key.publicKey, hostMoment: moment.publicKey };
  const { session, registryMoment, registry, refused } = await bus.exchange(
    fromHostSubject(hostId, 'hello', wanted),
    encodeBody({ ...hello, installation, protocols }),
    {
      timeoutMs: greetedWithin,
      silenceMs,
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
  return {
    registry,
    session: hostSideSession({ hostId, session, registryMoment, ...hello }, key, moment),
    time: new RegistryTime(monotonic),
  };
}

/**
 * Sends the first message of a session, which proves the host's key, or checks that it continues. Returns whether the
 * host's cursor is of another log; undefined if the registry does not know the session.
 */
export async function introduce(
  { bus, hostId }: HandshakeOptions,
  link: RegistryLink,
  { installation: _installation, protocols: _protocols, ...here }: HostAnnouncement,
): Promise<{ readonly isOfAnotherLog: boolean } | undefined> {
  const answer = await requestOver({ bus, hostId }, link, 'here', here, greetedWithin);
  return answer && HereAnswer.parse(answer.said);
}

/**
 * Sends a request in a session and returns the opened answer; undefined if the registry does not know the session, so
 * it did nothing.
 */
export async function requestOver(
  { bus, hostId }: Pick<HandshakeOptions, 'bus' | 'hostId'>,
  { registry, session, time }: RegistryLink,
  verb: string,
  body: unknown,
  timeoutMs: number,
): Promise<{ readonly said: unknown } | undefined> {
  const subject = fromHostSubject(hostId, verb, registry);
  const { data, open } = session.sealRequest(subject, encodeBody(body));
  const seal = sealOf(data);
  const askedAt = time.now();
  const answer = await bus.exchange(subject, data, {
    timeoutMs,
    silenceMs,
    take(incoming) {
      if (incoming.header(unknownSessionHeader) === seal) return { answer: undefined };
      const opened = open(incoming.data);
      return opened && { answer: opened };
    },
  });
  if (answer === undefined) return undefined;
  const said = readOutcome(answer);
  time.record(askedAt, said);
  return { said };
}
