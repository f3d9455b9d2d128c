import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';

export const pageBytes = 4096;
/** How many pages are read at a time. */
const atOnce = 256;

/** The header before the digests. */
const opening = Buffer.from('muster digests 2');
/** A digest and its complement: a damaged digest is distinguished from a damaged page. */
const entryBytes = 8;

/** A digest of each page of a database, by its place from 0; undefined if it is not known. */
export type PageDigests = (number | undefined)[];

/**
 * A CRC of 32 bits detects every single bit that changes, and all but one of four thousand million other changes of a
 * page.
 */
export function digestOf(page: Buffer): number {
  return crc32(page);
}

/**
 * The digests that are kept next to a database: of each page as it was last written to the file. What is in the log is
 * not checked by them, but by SQLite's own checksums there.
 */
export function readDigests(database: string): PageDigests {
  const file = digestsOf(database);
  const stored = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  if (!stored.subarray(0, opening.length).equals(opening)) return [];
  const digests: PageDigests = [];
  for (let at = opening.length; at + entryBytes <= stored.length; at += entryBytes) {
    const digest = stored.readUInt32LE(at);
    digests.push((stored.readUInt32LE(at + 4) ^ digest) >>> 0 === 0xffffffff ? digest : undefined);
  }
  return digests;
}

/**
 * Writes the digests from one place up to another, durably, over those that are there. Where that fails, none are left:
 * wrong ones would have a whole database taken for a damaged one.
 */
export function writeDigests(database: string, digests: PageDigests, from = 0, to = digests.length): void {
  const file = digestsOf(database);
  try {
    const opened = openSync(file, existsSync(file) ? 'r+' : 'w', 0o600);
    try {
      const entries = Buffer.alloc(Math.max(0, to - from) * entryBytes);
      for (let place = from; place < to; place += 1) {
        const digest = digests[place];
        if (digest === undefined) continue;
        entries.writeUInt32LE(digest, (place - from) * entryBytes);
        entries.writeUInt32LE(~digest >>> 0, (place - from) * entryBytes + 4);
      }
      writeSync(opened, opening, 0, opening.length, 0);
      writeSync(opened, entries, 0, entries.length, opening.length + from * entryBytes);
      ftruncateSync(opened, opening.length + digests.length * entryBytes);
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    forgetDigests(database);
    throw error;
  }
}

/** Notes again what was written to a page of a database that nobody has open. */
export function noteAnew(database: string, place: number): void {
  const digests = readDigests(database);
  if (digests[place] === undefined) return;
  digests[place] = digestsIn(database)[place];
  writeDigests(database, digests, place, place + 1);
}

/** Forgets them: from now on the expected pages are unknown. */
export function forgetDigests(database: string): void {
  rmSync(digestsOf(database), { force: true });
}

/** The digests of all pages as they are in the file. */
export function digestsIn(database: string): number[] {
  const opened = openSync(database, 'r');
  try {
    return digestsRead(opened);
  } finally {
    closeSync(opened);
  }
}

/** The same of a file that is open. */
export function digestsRead(opened: number): number[] {
  const digests: number[] = [];
  const buffer = Buffer.alloc(pageBytes * atOnce);
  for (;;) {
    const read = readSync(opened, buffer, 0, buffer.length, digests.length * pageBytes);
    digests.push(...digestsWithin(buffer.subarray(0, read)));
    if (read < buffer.length) return digests;
  }
}

/** The digests of the whole pages within a buffer. */
export function digestsWithin(buffer: Buffer): number[] {
  return Array.from({ length: Math.floor(buffer.length / pageBytes) }, (_, at) =>
    digestOf(buffer.subarray(at * pageBytes, (at + 1) * pageBytes)),
  );
}

/** The file that keeps the digests of a database, beside it. */
export function digestsOf(database: string): string {
  return `${database}-digests`;
}
