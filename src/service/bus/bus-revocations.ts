import { z } from 'zod';
import type { Revocations } from '#bus/identity/bus-keys.ts';
import { Failure } from '#contract/failure.ts';
import { readPrivateFile, writePrivateFile } from '#world/file/private-file.ts';

const Revoked = z.record(z.string(), z.int());

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

/** Adds a key from now on, in seconds since 1970, and returns all of them. */
export function addRevocation(file: string, publicKey: string, now: number): Revocations {
  const all = { ...readRevocations(file), [publicKey]: now };
  writePrivateFile(file, `${JSON.stringify(all)}\n`);
  return all;
}
