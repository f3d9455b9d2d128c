import { createHash } from 'node:crypto';

/** What is stored of a credential: a hash of what travels on the bus, so that nobody who reads a row can call by it. */
export function storedHashOf(credential: string): string {
  return createHash('sha256').update(`muster credential\n${credential}`).digest('hex');
}
