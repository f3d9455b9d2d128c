import { createCipheriv, createDecipheriv } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const tagBytes = 16;

/**
 * Seals bytes by AES-256-GCM: without the key nobody can read them, or change them or `about` unnoticed. A key must
 * never seal two texts under one number.
 */
export function sealBytes(key: Buffer, number: number, data: Uint8Array, about: string): Buffer {
  const cipher = createCipheriv(algorithm, key, nonceOf(number));
  cipher.setAAD(Buffer.from(about));
  return Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()]);
}

/** Opens sealed bytes; undefined if they were not sealed with this key, this number and this `about`. */
export function openBytes(key: Buffer, number: number, sealed: Uint8Array, about: string): Buffer | undefined {
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

/** Identifies a sealed text: only someone who has seen the text can name it. */
export function sealOf(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(-tagBytes)).toString('base64url');
}

/** A number as it travels before what it sealed. */
export function numberBytes(number: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}

/** Reads it back. */
export function readNumber(bytes: Uint8Array): number {
  return Number(Buffer.from(bytes.subarray(0, 8)).readBigUInt64BE());
}

function nonceOf(number: number): Buffer {
  return Buffer.concat([Buffer.alloc(4), numberBytes(number)]);
}
