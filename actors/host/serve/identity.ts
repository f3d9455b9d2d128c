import { join } from 'node:path';
import { ulid } from 'ulid';
import { type KeyPair, keyPairText, makeKeyPair, readKeyPair } from '#bus/seal/key-pair.ts';
import { Failure } from '#contract/failure.ts';
import { readPrivateFile, readSecretFile, writePrivateFile } from '#world/file/private-file.ts';

/** The host's own id, kept in its state folder: `certified` at first, or else a new one. */
export function hostId(home: string, certified = `hst_${ulid()}`): string {
  return readOrCreate(join(home, 'host.id'), readPrivateFile, () => certified);
}

/**
 * The id of the host that a credential for the bus certifies.
 * @throws BUS_NOT_CONFIGURED when the state folder is another host's
 */
export function certifiedHostId(home: string, certified: string | undefined): string {
  const id = hostId(home, certified);
  if (id === certified) return id;
  throw new Failure(
    'BUS_NOT_CONFIGURED',
    `The credential in MUSTER_BUS_CREDENTIALS is of host ${certified}, and ${join(home, 'host.id')} says ${id}: use the ` +
      'credential or the state folder of the same host.',
  );
}

/**
 * The key by which the registry identifies this host, created once and kept in its state folder. The private key never
 * leaves the machine.
 * @throws FAILED_PRECONDITION when the file has no key, or other users may read it
 */
export function hostKey(home: string): KeyPair {
  const file = join(home, 'host.key');
  const text = readOrCreate(file, readSecretFile, () => keyPairText(makeKeyPair()));
  try {
    return readKeyPair(text);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      'KEY_UNREADABLE',
      `${file} has no valid key. Restore it, or remove it and run \`muster hosts --forget-key NAME\` for this host.`,
    );
  }
}

/** The content of a private file with one line, which is created if it is missing or blank. */
function readOrCreate(file: string, read: (file: string) => string | undefined, make: () => string): string {
  const known = read(file)?.trim();
  if (known) return known;
  const made = make();
  writePrivateFile(file, `${made}\n`);
  return made;
}
