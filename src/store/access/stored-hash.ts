import { createHash } from 'node:crypto';

/** The stored form of a credential: a hash of what crosses the bus, so a leaked row is useless. */
export function storedHashOf(credential: string): string {
  return createHash('sha256').update(`muster credential\n${credential}`).digest('hex');
}
