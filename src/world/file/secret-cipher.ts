import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readSecretFile, writePrivateFile } from '#world/file/private-file.ts';

const algorithm = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;

/** Encrypts secrets for the database. */
export interface SecretCipher {
  /** Encrypts a secret and binds it to `about`: it opens only with the same. */
  seal(secret: string, about: string): string;
  /** The secret; undefined if it was sealed with another key or another `about`. */
  open(sealed: string, about: string): string | undefined;
  /** The file with the key. */
  readonly keyFile: string;
}

/**
 * Sealing with a key in a file that only its owner may read. The file is created with the first secret.
 */
export function secretCipher(keyFile: string): SecretCipher {
  return {
    keyFile,
    seal(secret, about) {
      const key = keyIn(keyFile) ?? makeKey(keyFile);
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(sealed, about) {
      const key = keyIn(keyFile);
      const bytes = Buffer.from(sealed, 'base64url');
      try {
        if (key === undefined) throw new Error('no key');
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivLength), { authTagLength: tagLength })
          .setAAD(Buffer.from(about))
          .setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
        const body = [decipher.update(bytes.subarray(ivLength + tagLength)), decipher.final()];
        return Buffer.concat(body).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

function keyIn(file: string): Buffer | undefined {
  const key = Buffer.from(readSecretFile(file)?.trim() ?? '', 'base64url');
  return key.length === 32 ? key : undefined;
}

function makeKey(file: string): Buffer {
  const key = randomBytes(32);
  writePrivateFile(file, `${key.toString('base64url')}\n`);
  return key;
}
