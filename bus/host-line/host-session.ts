import type { KeyObject } from 'node:crypto';
import { numberBytes, openBytes, readNumber, sealBytes } from '#bus/seal/aead.ts';
import { agreedSecret, deriveKeys, type KeyPair } from '#bus/seal/key-pair.ts';
import { ReplayWindow } from './replay-window.ts';

/** Length of a session's id, which precedes each request. */
export const sessionIdBytes = 16;

/** The handshake transcript: both sides have it when a session begins, and derive its keys from it. */
export interface HandshakeTranscript {
  readonly hostId: string;
  /** The session's id, in base64url. */
  readonly session: string;
  /** Public keys: the host's static key, its ephemeral key for this session, and the registry's ephemeral key. */
  readonly hostKey: string;
  readonly hostMoment: string;
  readonly registryMoment: string;
}

/** The keys of one direction: for one side's requests and for their answers. */
interface SessionKeys {
  readonly asked: KeyObject;
  readonly answered: KeyObject;
}

/** One side of an encrypted session between a host and the registry. */
export class HostSession {
  readonly id: Buffer;
  readonly #own: SessionKeys;
  readonly #others: SessionKeys;
  readonly #window = new ReplayWindow();
  #asked = 0;

  /** `own` holds the keys for this side's requests, `others` those for the other side's. */
  constructor(id: string, own: SessionKeys, others: SessionKeys) {
    this.id = Buffer.from(id, 'base64url');
    this.#own = own;
    this.#others = others;
  }

  /** Seals a request of this side. `open` opens its answer; undefined if it is not the answer to this request. */
  sealRequest(
    subject: string,
    body: Uint8Array,
  ): { readonly data: Buffer; open(sealed: Uint8Array): Uint8Array | undefined } {
    this.#asked += 1;
    const number = this.#asked;
    const sealed = sealBytes(this.#own.asked, number, body, `ask\n${subject}`);
    return {
      data: Buffer.concat([this.id, numberBytes(number), sealed]),
      open: (answer) => openBytes(this.#own.answered, number, answer, `answer\n${subject}`),
    };
  }

  /**
   * Opens a request of the other side; undefined if it is not of this session, or a replay. `seal` seals its answer,
   * and is called once.
   */
  openRequest(
    subject: string,
    data: Uint8Array,
  ): { readonly data: Uint8Array; seal(outcome: Uint8Array): Buffer } | undefined {
    if (data.length < sessionIdBytes + 8) return undefined;
    const number = readNumber(data.subarray(sessionIdBytes));
    const opened = openBytes(this.#others.asked, number, data.subarray(sessionIdBytes + 8), `ask\n${subject}`);
    if (opened === undefined || !this.#window.take(number)) return undefined;
    return { data: opened, seal: (outcome) => sealBytes(this.#others.answered, number, outcome, `answer\n${subject}`) };
  }
}

/** The host's side of a session. */
export function hostSideSession(greeting: HandshakeTranscript, own: KeyPair, moment: KeyPair): HostSession {
  const { registryMoment: other } = greeting;
  const { hostSide, registrySide } = keysOf(greeting, [agreedSecret(moment, other), agreedSecret(own, other)]);
  return new HostSession(greeting.session, hostSide, registrySide);
}

/** The registry's side of the same session. Only the holder of the host's private key derives the same keys. */
export function registrySideSession(greeting: HandshakeTranscript, moment: KeyPair): HostSession {
  const { hostMoment, hostKey } = greeting;
  const { hostSide, registrySide } = keysOf(greeting, [
    agreedSecret(moment, hostMoment),
    agreedSecret(moment, hostKey),
  ]);
  return new HostSession(greeting.session, registrySide, hostSide);
}

function keysOf(
  greeting: HandshakeTranscript,
  secrets: readonly Buffer[],
): { hostSide: SessionKeys; registrySide: SessionKeys } {
  const { hostId, session, hostKey, hostMoment, registryMoment } = greeting;
  const about = ['muster host session 1', hostId, session, hostKey, hostMoment, registryMoment];
  const keyAt = deriveKeys(secrets, about, 4);
  return {
    hostSide: { asked: keyAt(0), answered: keyAt(1) },
    registrySide: { asked: keyAt(2), answered: keyAt(3) },
  };
}

/** The field of the registry's requests that holds their deadline, on the registry's clock. */
export const deadlineField = '$deadline';

/** The header of an answer that says that the session is unknown. Its value is the seal of the request. */
export const unknownSessionHeader = 'Muster-Unknown-Session';
