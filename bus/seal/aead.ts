import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const tagBytes = 16;

/**
 * Seals bytes with AES-256-GCM. Without the key, nobody can read them, or change them or `about` unnoticed. A key must
 * never seal two texts with the same number, because it is the nonce.
 */
export function sealBytes(key: KeyObject, number: number, data: Uint8Array, about: string): Buffer {
  const cipher = createCipheriv(algorithm, key, nonceOf(number));
  cipher.setAAD(Buffer.from(about));
  return Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()]);
}

/** Opens sealed bytes; undefined if they were not sealed with this key, this number and this `about`. */
export function openBytes(key: KeyObject, number: number, sealed: Uint8Array, about: string): Buffer | undefined {
  if (sealed.length < tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, key, nonceOf(number), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(about));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** The authentication tag of a sealed text, which identifies it. Only someone who has seen the text knows it. */
export function sealOf(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(-tagBytes)).toString('base64url');
}

/** The encoding of a number, which precedes the sealed text. */
export function numberBytes(number: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}

/** Decodes a number. */
export function readNumber(bytes: Uint8Array): number {
  return Number(Buffer.from(bytes.subarray(0, 8)).readBigUInt64BE());
}

function nonceOf(number: number): Buffer {
  return Buffer.concat([Buffer.alloc(4), numberBytes(number)]);
}
