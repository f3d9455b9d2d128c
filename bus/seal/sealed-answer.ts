import { randomBytes } from 'node:crypto';
import type { Incoming, Sealed } from '#bus/bus.ts';
import { numberBytes, openBytes, readNumber, sealBytes } from './aead.ts';
import { agreedSecret, deriveKeys, makeKeyPair } from './key-pair.ts';

const sealTo = 'Muster-Seal-To';
const askNonce = 'Muster-Ask';
const sealedBy = 'Muster-Sealed-By';

/** How many of the other side's keys are remembered. */
const max = 1_024;

/** Remembers the keys that were agreed with others, by their public keys; the oldest is forgotten first. */
class Agreed {
  readonly #pair = makeKeyPair();
  readonly #keys = new Map<string, Buffer>();

  get publicKey(): string {
    return this.#pair.publicKey;
  }

  /** The key shared with a side; `asker` and `answerer` are the public keys of both. */
  with(other: string, asker: string, answerer: string): Buffer {
    const known = this.#keys.get(other);
    if (known !== undefined) return known;
    const [key = Buffer.alloc(0)] = deriveKeys(
      [agreedSecret(this.#pair, other)],
      ['muster answer 1', asker, answerer],
      1,
    );
    const [oldest] = this.#keys.size < max ? [] : this.#keys.keys();
    if (oldest !== undefined) this.#keys.delete(oldest);
    this.#keys.set(other, key);
    return key;
  }
}

/**
 * Reads the answers to one connection's questions. Each question names a public key that is made with the connection
 * and sent only to whoever answers, so nobody else who hears the inbox reads an answer, or has one taken for it.
 */
export class AnswerOpener {
  readonly #agreed = new Agreed();

  /** What a question carries, and how its answer is opened: undefined if that is not the answer to it. */
  question(subject: string): {
    readonly headers: Readonly<Record<string, string>>;
    open(incoming: Incoming): Uint8Array | undefined;
  } {
    const own = this.#agreed.publicKey;
    const nonce = randomBytes(16).toString('base64url');
    return {
      headers: { [sealTo]: own, [askNonce]: nonce },
      open: ({ data, header }) => {
        const answerer = header(sealedBy);
        if (answerer === undefined || data.length < 8) return undefined;
        const key = this.#agreed.with(answerer, own, answerer);
        return openBytes(key, readNumber(data), data.subarray(8), aboutAnswer(subject, nonce));
      },
    };
  }
}

/** Seals one connection's answers to the keys that questions name. */
export class AnswerSealer {
  readonly #agreed = new Agreed();
  #sealed = 0;

  /**
   * Seals the answer to a question; undefined if it names no key.
   * @throws INVALID_ARGUMENT when what it names is none.
   */
  answerTo({ subject, header }: Incoming): ((outcome: Uint8Array) => Sealed) | undefined {
    const asker = header(sealTo);
    if (asker === undefined) return undefined;
    const own = this.#agreed.publicKey;
    const key = this.#agreed.with(asker, asker, own);
    const about = aboutAnswer(subject, header(askNonce) ?? '');
    return (outcome) => {
      // One count for all keys: a key that was forgotten and agreed upon again never seals twice under one number.
      this.#sealed += 1;
      const data = Buffer.concat([numberBytes(this.#sealed), sealBytes(key, this.#sealed, outcome, about)]);
      return { data, headers: { [sealedBy]: own } };
    };
  }
}

function aboutAnswer(subject: string, nonce: string): string {
  return `answer\n${subject}\n${nonce}`;
}
