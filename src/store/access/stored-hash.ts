import { createHash } from 'node:crypto';

/** The stored form of a credential: a hash of what crosses the bus, so nobody can use a leaked row. */
export function storedHashOf(credential: string): string {
  return createHash('sha256').update(`muster credential\n${credential}`).digest('hex');
}
