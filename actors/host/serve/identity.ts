import { join } from 'node:path';
import { ulid } from 'ulid';
import { type KeyPair, keyPairText, makeKeyPair, readKeyPair } from '#bus/seal/key-pair.ts';
import { Failure } from '#contract/failure.ts';
import { readPrivateFile, readSecretFile, writePrivateFile } from '#world/file/private-file.ts';

/** The host's own id, made once and kept in its state folder. */
export function hostId(home: string): string {
  return kept(join(home, 'host.id'), readPrivateFile, () => `hst_${ulid()}`);
}

/**
 * The key by which the registry knows this host, made once and kept in its state folder; its private half never leaves
 * it.
 * @throws FAILED_PRECONDITION when the file has no key, or others may open it
 */
export function hostKey(home: string): KeyPair {
  const file = join(home, 'host.key');
  const text = kept(file, readSecretFile, () => keyPairText(makeKeyPair()));
  try {
    return readKeyPair(text);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      'KEY_UNREADABLE',
      `${file} holds no key. Restore it, or remove it and run \`muster hosts --forget-key NAME\` for this host.`,
    );
  }
}

/** What a file of one line holds, for its owner alone; it is made if it is not there or blank. */
function kept(file: string, read: (file: string) => string | undefined, make: () => string): string {
  const known = read(file)?.trim();
  if (known) return known;
  const made = make();
  writePrivateFile(file, `${made}\n`);
  return made;
}
