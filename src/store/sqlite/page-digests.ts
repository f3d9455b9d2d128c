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

/** The first bytes of a file of digests. */
const opening = Buffer.from('muster digests 2');
/** The size of a digest and its complement, which show whether the digest itself is damaged. */
const entryBytes = 8;

/** The digest of each page of a database, by the page's index from 0; undefined if it is not known. */
export type PageDigests = (number | undefined)[];

/** The CRC-32 of a page. It detects every change of one bit, and misses about one in four billion other changes. */
export function digestOf(page: Buffer): number {
  return crc32(page);
}

/**
 * Reads the digests that are stored next to a database: of each page as it was last written to the file. They do not
 * cover pages in the log, which SQLite's own checksums protect.
 */
export function readDigests(database: string): PageDigests {
  const file = digestsPath(database);
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
 * Writes the digests of the pages in a range, durably, over the stored ones. If that fails, all stored digests are
 * removed, because wrong ones would make a sound database look damaged.
 */
export function writeDigests(database: string, digests: PageDigests, from = 0, to = digests.length): void {
  const file = digestsPath(database);
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
    removeDigests(database);
    throw error;
  }
}

/** Stores the digest of a page as it is now, in a database that no program has open. */
export function refreshDigest(database: string, place: number): void {
  const digests = readDigests(database);
  if (digests[place] === undefined) return;
  digests[place] = digestsIn(database)[place];
  writeDigests(database, digests, place, place + 1);
}

/** Removes the stored digests, so that any content of the pages is accepted. */
export function removeDigests(database: string): void {
  rmSync(digestsPath(database), { force: true });
}

/** Computes the digests of all pages in a file. */
export function digestsIn(database: string): number[] {
  const opened = openSync(database, 'r');
  try {
    return digestsInOpen(opened);
  } finally {
    closeSync(opened);
  }
}

/** As `digestsIn`, for an open file. */
export function digestsInOpen(opened: number): number[] {
  const digests: number[] = [];
  const buffer = Buffer.alloc(pageBytes * atOnce);
  for (;;) {
    const read = readSync(opened, buffer, 0, buffer.length, digests.length * pageBytes);
    digests.push(...digestsWithin(buffer.subarray(0, read)));
    if (read < buffer.length) return digests;
  }
}

/** Computes the digests of the whole pages in a buffer. */
export function digestsWithin(buffer: Buffer): number[] {
  return Array.from({ length: Math.floor(buffer.length / pageBytes) }, (_, at) =>
    digestOf(buffer.subarray(at * pageBytes, (at + 1) * pageBytes)),
  );
}

/** The path of the file, next to a database, that stores its digests. */
export function digestsPath(database: string): string {
  return `${database}-digests`;
}
