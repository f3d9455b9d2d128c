import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { type Identity, type Recipient, Stanza } from 'age-encryption';

/** The work factor of scrypt, as an exponent of 2: age's default. A file that is read may have one that is 2 higher. */
const workFactor = 18;
const maxWorkFactor = 20;
const blockSize = 8;
const [saltBytes, tagBytes] = [16, 16];
const label = 'age-encryption.org/v1/scrypt';
/** A key is used once, so that its nonce may be zero. */
const nonce = Buffer.alloc(12);

/**
 * Encrypts a file's key with a passphrase, as age defines it (https://c2sp.org/age, scrypt). The library does the same
 * in JavaScript, which keeps a process busy for seconds: Node's own takes a tenth of that, in another thread.
 */
export class PassphraseRecipient implements Recipient {
  readonly #passphrase: string;
  readonly #workFactor: number;

  constructor(passphrase: string, factor = workFactor) {
    this.#passphrase = passphrase;
    this.#workFactor = factor;
  }

  async wrapFileKey(fileKey: Uint8Array): Promise<Stanza[]> {
    const salt = randomBytes(saltBytes);
    const key = await derive(this.#passphrase, salt, this.#workFactor);
    const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes });
    const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
    const encoded = salt.toString('base64').replaceAll('=', '');
    return [new Stanza(['scrypt', encoded, String(this.#workFactor)], body)];
  }
}

/** Decrypts a file's key with a passphrase. */
export class PassphraseIdentity implements Identity {
  readonly #passphrase: string;

  constructor(passphrase: string) {
    this.#passphrase = passphrase;
  }

  /**
   * The key; null if it was encrypted with another passphrase, or with none.
   * @throws Error when the file asks for more work than any of muster's own
   */
  async unwrapFileKey(stanzas: Stanza[]): Promise<Uint8Array | null> {
    const [stanza, ...others] = stanzas;
    const [kind, encoded = '', factor = ''] = stanza?.args ?? [];
    if (stanza === undefined || others.length > 0 || kind !== 'scrypt') return null;
    const salt = Buffer.from(encoded, 'base64');
    if (salt.length !== saltBytes || stanza.body.length !== 2 * tagBytes || !/^[1-9]\d?$/.test(factor))
      throw new Error('its header is damaged');
    if (Number(factor) > maxWorkFactor) throw new Error('its passphrase takes too long to check');
    const key = await derive(this.#passphrase, salt, Number(factor));
    const decipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes });
    decipher.setAuthTag(stanza.body.subarray(tagBytes));
    try {
      return Buffer.concat([decipher.update(stanza.body.subarray(0, tagBytes)), decipher.final()]);
    } catch {
      return null;
    }
  }
}

/** The key that a passphrase makes with a salt. */
function derive(passphrase: string, salt: Uint8Array, factor: number): Promise<Buffer> {
  const salted = Buffer.concat([Buffer.from(label), salt]);
  const cost = { N: 2 ** factor, r: blockSize, p: 1 };
  return scryptOf(passphrase, salted, 32, { ...cost, maxmem: 2 * 128 * cost.N * cost.r });
}

const scryptOf = promisify(
  (
    password: string,
    salt: Buffer,
    length: number,
    options: { readonly N: number; readonly r: number; readonly p: number; readonly maxmem: number },
    done: (error: Error | null, key: Buffer) => void,
  ) => scrypt(password, salt, length, options, done),
);
