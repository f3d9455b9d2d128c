import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { KeyPair } from '@nats-io/jwt';
import { Prefix } from '@nats-io/nkeys';
import { Codec } from '@nats-io/nkeys/lib/codec.js';
import { KP } from '@nats-io/nkeys/lib/kp.js';

/** The PKCS #8 header of a private key of Ed25519, before its 32 bytes (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * A NATS key that signs with Node's Ed25519. The library's own is written in JavaScript, where each signature and each
 * check of a public key takes 10 ms or more.
 */
class NativeKeyPair extends KP {
  readonly #key: KeyObject;
  readonly #raw: Uint8Array;
  readonly #public: Uint8Array;

  constructor(seed: Uint8Array) {
    super(seed);
    this.#raw = this.getRawSeed();
    this.#key = createPrivateKey({ key: Buffer.concat([pkcs8, this.#raw]), format: 'der', type: 'pkcs8' });
    const { x = '' } = createPublicKey(this.#key).export({ format: 'jwk' });
    this.#public = Buffer.from(x, 'base64url');
  }

  override getPublicKey(): string {
    return new TextDecoder().decode(Codec.encode(Codec.decodeSeed(this.getSeed()).prefix, this.#public));
  }

  override getPrivateKey(): Uint8Array {
    return Codec.encode(Prefix.Private, Buffer.concat([this.#raw, this.#public]));
  }

  override sign(input: Uint8Array): Uint8Array {
    return sign(null, input, this.#key);
  }

  override verify(input: Uint8Array, signature: Uint8Array): boolean {
    return verify(null, input, createPublicKey(this.#key), signature);
  }
}

/**
 * The key pair of a seed.
 * @throws NKeysError when the text is not a seed
 */
export function keyPairOf(seed: string): KeyPair {
  return new NativeKeyPair(new TextEncoder().encode(seed));
}

/** The seed of a key pair, as text. */
export function seedOf(pair: KeyPair): string {
  return new TextDecoder().decode(pair.getSeed());
}

/** Whether a signature of a text was made with the key that a public key belongs to. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    return verify(null, Buffer.from(text), publicKeyOf(publicKey), Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

/** Signs a text with the key of a seed: base64url. */
export function signText(seed: string, text: string): string {
  return Buffer.from(keyPairOf(seed).sign(new TextEncoder().encode(text))).toString('base64url');
}

/** @throws NKeysError when the text is not a public NATS key */
function publicKeyOf(text: string): KeyObject {
  const [, ...bytes] = Codec._decode(new TextEncoder().encode(text));
  const x = Buffer.from(bytes).toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}
