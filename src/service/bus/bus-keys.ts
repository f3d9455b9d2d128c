import { z } from 'zod';
import { type BusKeys, makeBusKeys } from '#bus/identity/bus-keys.ts';
import { Failure } from '#contract/failure.ts';
import { readSecretFile, writePrivateFile } from '#world/file/private-file.ts';

const Keys = z.object({ operator: z.string(), account: z.string(), system: z.string() });

/** The keys of a bus in a private file; undefined if there is none. @throws KEY_UNREADABLE when it holds no keys */
export function readBusKeys(file: string): BusKeys | undefined {
  const text = readSecretFile(file);
  if (text === undefined) return undefined;
  try {
    return Keys.parse(JSON.parse(text));
  } catch (error) {
    throw new Failure(
      'KEY_UNREADABLE',
      `${file} has no keys of a bus: restore it from a backup, or make new ones with \`muster bus-keys\``,
      { cause: error },
    );
  }
}

/** The same. @throws BUS_NOT_CONFIGURED when there is none; KEY_UNREADABLE as above */
export function requireBusKeys(file: string): BusKeys {
  const keys = readBusKeys(file);
  if (keys !== undefined) return keys;
  throw new Failure(
    'BUS_NOT_CONFIGURED',
    `The keys of the bus are missing: ${file}. Make them with \`muster bus-keys\`, and name the file in MUSTER_BUS_KEYS.`,
  );
}

/** The same, created if there is none. */
export function keepBusKeys(file: string): BusKeys {
  const known = readBusKeys(file);
  if (known !== undefined) return known;
  const made = makeBusKeys();
  writePrivateFile(file, `${JSON.stringify(made)}\n`);
  return made;
}
