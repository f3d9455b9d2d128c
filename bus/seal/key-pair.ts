import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { Failure } from '#contract/failure.ts';

/** An X25519 key pair. */
export interface KeyPair {
  /** 32 bytes in base64url. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/** Creates a random key pair. */
export function makeKeyPair(): KeyPair {
  return pairOf(generateKeyPairSync('x25519').privateKey);
}

/** The text of a key file: a JSON Web Key with the private key. */
export function keyPairText({ privateKey }: KeyPair): string {
  return JSON.stringify(privateKey.export({ format: 'jwk' }));
}

/**
 * Reads the text of a key file.
 * @throws FAILED_PRECONDITION when it is not such a key; the message omits the text, because it is secret
 */
export function readKeyPair(text: string): KeyPair {
  try {
    const privateKey = createPrivateKey({ key: JSON.parse(text), format: 'jwk' });
    if (privateKey.asymmetricKeyType !== 'x25519') throw new Error('it is of another kind');
    return pairOf(privateKey);
  } catch {
    throw new Failure('KEY_UNREADABLE', 'It has no X25519 key as a JSON Web Key: restore the file');
  }
}

/**
 * The X25519 shared secret, which only the two sides can derive, each with its private key.
 * @throws INVALID_ARGUMENT when the other side's key is not a valid public key
 */
export function agreedSecret(own: KeyPair, other: string): Buffer {
  try {
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: other }, format: 'jwk' });
    return diffieHellman({ privateKey: own.privateKey, publicKey });
  } catch (error) {
    throw new Failure('MALFORMED_REQUEST', 'A public key on the bus is not an X25519 key', { cause: error });
  }
}

/**
 * Derives `count` keys of 32 bytes from secrets with HKDF-SHA256, and returns what gives the key at a place. `about` binds
 * them to what both sides must agree on. Node makes a cipher from a key object in a third of the time that it takes from
 * bytes.
 */
export function deriveKeys(
  secrets: readonly Buffer[],
  about: readonly string[],
  count: number,
): (place: number) => KeyObject {
  const bytes = Buffer.from(hkdfSync('sha256', Buffer.concat(secrets), '', about.join('\n'), 32 * count));
  return (place) => createSecretKey(bytes.subarray(32 * place, 32 * (place + 1)));
}

function pairOf(privateKey: KeyObject): KeyPair {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  if (x === undefined) throw new Failure('INTERNAL', 'A key pair has no public key');
  return { publicKey: x, privateKey };
}
