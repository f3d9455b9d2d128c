import { closeSync, openSync, readSync } from 'node:fs';

/** How long the log's header and the header of each frame are, in bytes. */
const headerBytes = 32;
const frameHeaderBytes = 24;
/** How many frames are read at a time. */
const atOnce = 128;

/**
 * One beginning of the log: SQLite starts over, and overwrites what stood there, once all of it was brought into the
 * file.
 */
export interface LogBeginning {
  /** Counts up by one with each. */
  readonly sequence: number;
  /** What each frame of it bears: another one's are left over from before. */
  readonly salts: string;
  readonly pageBytes: number;
}

/** A page as it was written into the log. */
export interface Frame {
  /** Its number, from 1. */
  readonly page: number;
  /** Good until the next frame is taken. */
  readonly content: Buffer;
}

/** How the log of a database (`muster.db-wal`) begins; undefined if there is none, or an empty one. */
export function readLogHeader(log: string): LogBeginning | undefined {
  const file = openedFrom(log);
  if (file === undefined) return undefined;
  try {
    return readBeginning(file);
  } finally {
    closeSync(file);
  }
}

/**
 * The frames of a log from one on, as far as they are of its last beginning; those that were never committed among
 * them.
 */
export function* framesOf(log: string, from = 0, to = Number.POSITIVE_INFINITY): Generator<Frame> {
  const file = openedFrom(log);
  if (file === undefined) return;
  try {
    const beginning = readBeginning(file);
    if (beginning === undefined) return;
    const frameBytes = beginning.pageBytes + frameHeaderBytes;
    const buffer = Buffer.alloc(frameBytes * atOnce);
    for (let next = from; next < to; ) {
      const read = readSync(file, buffer, 0, buffer.length, headerBytes + next * frameBytes);
      for (let at = 0; at < atOnce && next < to; at += 1, next += 1) {
        const frame = buffer.subarray(at * frameBytes, (at + 1) * frameBytes);
        if ((at + 1) * frameBytes > read || frame.toString('hex', 8, 16) !== beginning.salts) return;
        yield { page: frame.readUInt32BE(0), content: frame.subarray(frameHeaderBytes) };
      }
    }
  } finally {
    closeSync(file);
  }
}

function readBeginning(file: number): LogBeginning | undefined {
  const header = Buffer.alloc(headerBytes);
  if (readSync(file, header, 0, headerBytes, 0) < headerBytes) return undefined;
  const pageBytes = header.readUInt32BE(8);
  if (pageBytes < 512) return undefined;
  return { sequence: header.readUInt32BE(12), salts: header.toString('hex', 16, 24), pageBytes };
}

/** Nobody locks the log itself, so it may be opened and closed beside SQLite. */
function openedFrom(log: string): number | undefined {
  try {
    return openSync(log, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
