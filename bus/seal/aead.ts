import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const tagBytes = 16;

/**
 * Seals bytes with AES-256-GCM. Without the key, nobody can read them, or change them or `about` unnoticed. A key must
 * never seal two texts with the same number, because it is the nonce.
 * @param first bytes that precede the sealed ones in the result
 */
export function sealBytes(
  key: KeyObject,
  number: number,
  data: Uint8Array,
  about: string,
  ...first: readonly Uint8Array[]
): Buffer {
  const cipher = createCipheriv(algorithm, key, nonceOf(number));
  cipher.setAAD(Buffer.from(about));
  return Buffer.concat([...first, cipher.update(data), cipher.final(), cipher.getAuthTag()]);
}

/** Opens sealed bytes; undefined if they were not sealed with this key, this number and this `about`. */
export function openBytes(key: KeyObject, number: number, sealed: Uint8Array, about: string): Buffer | undefined {
  if (sealed.length < tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, key, nonceOf(number), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(about));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    const text = decipher.update(sealed.subarray(0, -tagBytes));
    // It only checks the tag: GCM has no padding, so nothing is left to return, and the text need not be copied.
    decipher.final();
    return text;
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
  return writeNumber(Buffer.alloc(8), number, 0);
}

/** Decodes a number. */
export function readNumber(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return view.getUint32(0) * 2 ** 32 + view.getUint32(4);
}

function nonceOf(number: number): Buffer {
  return writeNumber(Buffer.alloc(12), number, 4);
}

/** Writes a number as 64 bits, in two halves: a BigInt would cost more than all else about a nonce. */
function writeNumber(bytes: Buffer, number: number, at: number): Buffer {
  if (!Number.isSafeInteger(number)) throw new RangeError(`${number} is not a number to seal with`);
  bytes.writeUInt32BE(Math.floor(number / 2 ** 32), at);
  bytes.writeUInt32BE(number >>> 0, at + 4);
  return bytes;
}
