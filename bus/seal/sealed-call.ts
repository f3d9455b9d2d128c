import { type KeyObject, randomUUID } from 'node:crypto';
import type { Incoming, SealedMessage } from '#bus/bus.ts';
import { Failure } from '#contract/failure.ts';
import { numberBytes, openBytes, readNumber, sealBytes } from './aead.ts';
import { agreedSecret, deriveKeys, makeKeyPair } from './key-pair.ts';

/** The headers of a request: the key that its answer is sealed to, its nonce, and the key that it is sealed to itself. */
const sealTo = 'Muster-Seal-To';
const askNonce = 'Muster-Ask';
const sealedFor = 'Muster-Sealed-For';
/** The header of an answer with the key of who sealed it. */
const sealedBy = 'Muster-Sealed-By';

/** How many shared keys are cached. */
const max = 1_024;

/** One key for each direction, because each side counts what it seals by itself. */
interface CallKeys {
  readonly answers: KeyObject;
  readonly requests: KeyObject;
}

/** The keys shared with other parties, cached by their public keys. The oldest is evicted first. */
class SharedKeys {
  readonly #pair = makeKeyPair();
  readonly #keys = new Map<string, CallKeys>();
  #sealed = 0;

  get publicKey(): string {
    return this.#pair.publicKey;
  }

  /** The keys shared with another party; `asker` and `answerer` are the public keys of both. */
  with(other: string, asker: string, answerer: string): CallKeys {
    const known = this.#keys.get(other);
    if (known !== undefined) return known;
    const key = deriveKeys([agreedSecret(this.#pair, other)], ['muster answer 1', asker, answerer], 2);
    const keys = { answers: key(0), requests: key(1) };
    const [oldest] = this.#keys.size < max ? [] : this.#keys.keys();
    if (oldest !== undefined) this.#keys.delete(oldest);
    this.#keys.set(other, keys);
    return keys;
  }

  /** Seals with a number that no key has sealed with before, even if it was evicted and derived again. */
  seal(key: KeyObject, text: Uint8Array, about: string): Buffer {
    this.#sealed += 1;
    return sealBytes(key, this.#sealed, text, about, numberBytes(this.#sealed));
  }
}

/** A request to be sent, and how to read its answer. */
interface Question extends SealedMessage {
  /** Opens the answer; undefined if a message is not the answer to it. */
  open(incoming: Incoming): Uint8Array | undefined;
}

/**
 * Seals one connection's requests to the key of a known responder, and opens the answers. Each request carries a public
 * key that was made for the connection. So others who read the subject or the inbox can neither read what is sealed nor
 * forge an answer.
 */
export class CallerSeal {
  readonly #shared = new SharedKeys();

  /** @param responder the public key to seal the request to; without one, it is not sealed */
  question(subject: string, data: Uint8Array, responder?: string): Question {
    const own = this.#shared.publicKey;
    const nonce = randomUUID();
    const headers = { [sealTo]: own, [askNonce]: nonce };
    const open = ({ data: sealed, header }: Incoming): Uint8Array | undefined => {
      const answerer = header(sealedBy);
      if (answerer === undefined || sealed.length < 8) return undefined;
      const { answers } = this.#shared.with(answerer, own, answerer);
      return openNumbered(answers, sealed, aboutAnswer(subject, nonce));
    };
    if (responder === undefined) return { data, headers, open };
    const { requests } = this.#shared.with(responder, own, responder);
    const sealed = this.#shared.seal(requests, data, aboutRequest(subject, nonce));
    return { data: sealed, headers: { ...headers, [sealedFor]: responder }, open };
  }
}

/** Opens the requests that are sealed to one connection, and seals its answers to the keys that requests carry. */
export class ResponderSeal {
  readonly #shared = new SharedKeys();

  /** What callers seal their requests to. */
  get publicKey(): string {
    return this.#shared.publicKey;
  }

  /**
   * The content of a request, sealed or not.
   * @throws INVALID_ARGUMENT when it cannot be opened with this connection's key
   */
  open({ subject, data, header }: Incoming): Uint8Array {
    const responder = header(sealedFor);
    if (responder === undefined) return data;
    const own = this.#shared.publicKey;
    const asker = header(sealTo) ?? '';
    const { requests } = this.#shared.with(asker, asker, own);
    const about = aboutRequest(subject, header(askNonce) ?? '');
    const opened = responder === own && data.length >= 8 ? openNumbered(requests, data, about) : undefined;
    if (opened !== undefined) return opened;
    throw new Failure('MALFORMED_REQUEST', `A request on ${subject} is not sealed to this process: send it again`);
  }

  /**
   * A function that seals the answer to a request; undefined if the request carries no key.
   * @throws INVALID_ARGUMENT when what it carries is not a key
   */
  answerTo({ subject, header }: Incoming): ((outcome: Uint8Array) => SealedMessage) | undefined {
    const asker = header(sealTo);
    if (asker === undefined) return undefined;
    const own = this.#shared.publicKey;
    const { answers } = this.#shared.with(asker, asker, own);
    const about = aboutAnswer(subject, header(askNonce) ?? '');
    return (outcome) => ({ data: this.#shared.seal(answers, outcome, about), headers: { [sealedBy]: own } });
  }
}

function openNumbered(key: KeyObject, sealed: Uint8Array, about: string): Uint8Array | undefined {
  return openBytes(key, readNumber(sealed), sealed.subarray(8), about);
}

function aboutRequest(subject: string, nonce: string): string {
  return `request\n${subject}\n${nonce}`;
}

function aboutAnswer(subject: string, nonce: string): string {
  return `answer\n${subject}\n${nonce}`;
}
