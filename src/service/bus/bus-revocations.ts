import { join } from 'node:path';
import { z } from 'zod';
import type { Revocations } from '#bus/identity/bus-keys.ts';
import { Failure } from '#contract/failure.ts';
import { readPrivateFile, writePrivateFile } from '#world/file/private-file.ts';

const Revoked = z.record(z.string(), z.int());

/** The file of the revocations of a registry's state folder, or of a folder with the keys of a bus. */
export function revocationsFileIn(folder: string): string {
  return join(folder, 'bus-revoked.json');
}

/** The revocations in a file; none if it is missing. @throws KEY_UNREADABLE when it holds something else */
export function readRevocations(file: string): Revocations {
  const text = readPrivateFile(file);
  if (text === undefined) return {};
  try {
    return Revoked.parse(JSON.parse(text));
  } catch (error) {
    throw new Failure('KEY_UNREADABLE', `${file} has no list of revoked credentials: restore it from a backup`, {
      cause: error,
    });
  }
}

/** Adds keys, with the time until which their certificates are refused, and returns all of them. */
export function addRevocations(file: string, added: Revocations): Revocations {
  const known = readRevocations(file);
  const all = { ...known, ...added };
  if (JSON.stringify(all) !== JSON.stringify(known)) writePrivateFile(file, `${JSON.stringify(all)}\n`);
  return all;
}
