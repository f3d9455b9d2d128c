import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

/** A public key whose signature a person lets count. */
export interface TrustedKey {
  /** SHA-256 of the key, in hexadecimal. */
  readonly fingerprint: string;
  readonly key: KeyObject;
  /** The key as SPKI, in base64. */
  readonly text: string;
}

/** The file that lists them, beside the rules. */
export const trustedKeysFile = 'trusted.keys';

/**
 * The key of a PEM text.
 * @throws INVALID_ARGUMENT when it is no public key of Ed25519
 */
export function publicKeyIn(pem: string, path: string): TrustedKey {
  if (!/-----BEGIN PUBLIC KEY-----/.test(pem) || /PRIVATE KEY/.test(pem)) throw noKey(path);
  try {
    return trusted(createPublicKey(pem));
  } catch (error) {
    throw error instanceof Failure ? error : noKey(path);
  }
}

function noKey(path: string): Failure {
  return new Failure(
    'RULES_KEY_INVALID',
    `${path} holds no public key of Ed25519 in PEM: make one with openssl genpkey -algorithm ed25519, and its public ` +
      'part with openssl pkey -pubout',
  );
}

/** A key with its fingerprint. @throws INVALID_ARGUMENT when it is of another kind than Ed25519 */
export function trusted(key: KeyObject): TrustedKey {
  if (key.asymmetricKeyType !== 'ed25519') throw new Failure('RULES_KEY_INVALID', 'only keys of Ed25519 are accepted');
  const spki = key.export({ type: 'spki', format: 'der' });
  return { fingerprint: createHash('sha256').update(spki).digest('hex'), key, text: spki.toString('base64') };
}

/** The keys that a person trusts, of a folder of rules; lines that hold none are passed by. */
export function readTrustedKeys(folder: string): TrustedKey[] {
  const lines = (readPrivateFile(join(folder, trustedKeysFile)) ?? '').split('\n');
  return lines.flatMap((line) => {
    try {
      return [trusted(createPublicKey({ key: Buffer.from(line.trim(), 'base64'), type: 'spki', format: 'der' }))];
    } catch {
      return [];
    }
  });
}

/** Replaces the keys that a person trusts. */
export function writeTrustedKeys(folder: string, keys: readonly TrustedKey[]): void {
  writePrivateFile(join(folder, trustedKeysFile), keys.map(({ text }) => `${text}\n`).join(''));
}
