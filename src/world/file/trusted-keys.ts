import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

/** A public key that a person trusts. */
export interface TrustedKey {
  /** SHA-256 of the key, in hexadecimal. */
  readonly fingerprint: string;
  readonly key: KeyObject;
  /** The key as SPKI, in base64. */
  readonly text: string;
}

/** The file that lists the trusted keys, next to the rules. */
export const trustedKeysFile = 'trusted.keys';

/**
 * The public key in a PEM text.
 * @throws INVALID_ARGUMENT when it is not an Ed25519 public key
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
    `${path} does not contain an Ed25519 public key in PEM: create a key with openssl genpkey -algorithm ed25519, and its public ` +
      'part with openssl pkey -pubout',
  );
}

/** A key with its fingerprint. @throws INVALID_ARGUMENT when it is not an Ed25519 key */
export function trusted(key: KeyObject): TrustedKey {
  if (key.asymmetricKeyType !== 'ed25519') throw new Failure('RULES_KEY_INVALID', 'only Ed25519 keys are accepted');
  const spki = key.export({ type: 'spki', format: 'der' });
  return { fingerprint: createHash('sha256').update(spki).digest('hex'), key, text: spki.toString('base64') };
}

/** The trusted keys of a folder of rules. Invalid lines are ignored. */
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

/** Replaces the trusted keys. */
export function writeTrustedKeys(folder: string, keys: readonly TrustedKey[]): void {
  writePrivateFile(join(folder, trustedKeysFile), keys.map(({ text }) => `${text}\n`).join(''));
}
