import { type KeyObject, randomBytes } from 'node:crypto';
import type { Incoming, SealedMessage } from '#bus/bus.ts';
import { numberBytes, openBytes, readNumber, sealBytes } from './aead.ts';
import { agreedSecret, deriveKeys, makeKeyPair } from './key-pair.ts';

const sealTo = 'Muster-Seal-To';
const askNonce = 'Muster-Ask';
const sealedBy = 'Muster-Sealed-By';

/** How many shared keys are cached. */
const max = 1_024;

/** The keys shared with other parties, cached by their public keys. The oldest is evicted first. */
class SharedKeys {
  readonly #pair = makeKeyPair();
  readonly #keys = new Map<string, KeyObject>();

  get publicKey(): string {
    return this.#pair.publicKey;
  }

  /** The key shared with another party; `asker` and `answerer` are the public keys of both. */
  with(other: string, asker: string, answerer: string): KeyObject {
    const known = this.#keys.get(other);
    if (known !== undefined) return known;
    const key = deriveKeys([agreedSecret(this.#pair, other)], ['muster answer 1', asker, answerer], 1)(0);
    const [oldest] = this.#keys.size < max ? [] : this.#keys.keys();
    if (oldest !== undefined) this.#keys.delete(oldest);
    this.#keys.set(other, key);
    return key;
  }
}

/**
 * Opens the answers to one connection's requests. Each request carries a public key that was made for the connection
 * and is sent only to the responder. So others who read the inbox can neither read an answer nor forge one.
 */
export class AnswerOpener {
  readonly #sharedKeys = new SharedKeys();

  /** The headers of a request, and a function that opens its answer: undefined if a message is not the answer to it. */
  question(subject: string): {
    readonly headers: Readonly<Record<string, string>>;
    open(incoming: Incoming): Uint8Array | undefined;
  } {
    const own = this.#sharedKeys.publicKey;
    const nonce = randomBytes(16).toString('base64url');
    return {
      headers: { [sealTo]: own, [askNonce]: nonce },
      open: ({ data, header }) => {
        const answerer = header(sealedBy);
        if (answerer === undefined || data.length < 8) return undefined;
        const key = this.#sharedKeys.with(answerer, own, answerer);
        return openBytes(key, readNumber(data), data.subarray(8), aboutAnswer(subject, nonce));
      },
    };
  }
}

/** Seals one connection's answers to the keys that requests carry. */
export class AnswerSealer {
  readonly #sharedKeys = new SharedKeys();
  #sealed = 0;

  /**
   * A function that seals the answer to a request; undefined if the request carries no key.
   * @throws INVALID_ARGUMENT when what it carries is not a key
   */
  answerTo({ subject, header }: Incoming): ((outcome: Uint8Array) => SealedMessage) | undefined {
    const asker = header(sealTo);
    if (asker === undefined) return undefined;
    const own = this.#sharedKeys.publicKey;
    const key = this.#sharedKeys.with(asker, asker, own);
    const about = aboutAnswer(subject, header(askNonce) ?? '');
    return (outcome) => {
      // One counter for all keys, so that a key which was evicted and derived again never reuses a number.
      this.#sealed += 1;
      const data = Buffer.concat([numberBytes(this.#sealed), sealBytes(key, this.#sealed, outcome, about)]);
      return { data, headers: { [sealedBy]: own } };
    };
  }
}

function aboutAnswer(subject: string, nonce: string): string {
  return `answer\n${subject}\n${nonce}`;
}
