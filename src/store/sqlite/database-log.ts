import { closeSync, openSync, readSync } from 'node:fs';

/** The sizes of the log's header and of each frame's header, in bytes. */
const headerBytes = 32;
const frameHeaderBytes = 24;
/** How many frames are read at a time. */
const atOnce = 128;

/**
 * The header of the write-ahead log. Once a checkpoint has written all frames to the database, SQLite restarts the log:
 * it writes a new header and overwrites the frames.
 */
export interface LogHeader {
  /** Each restart increments it. */
  readonly sequence: number;
  /** The salts that each frame of this header has; a frame with other salts is left over from before the restart. */
  readonly salts: string;
  readonly pageBytes: number;
}

/** A page as it was written into the log. */
export interface Frame {
  /** Its number, from 1. */
  readonly page: number;
  /** Valid until the next frame is read. */
  readonly content: Buffer;
}

/** The header of a database's log (`muster.db-wal`); undefined if there is no log, or it is empty. */
export function readLogHeader(log: string): LogHeader | undefined {
  const file = openedFrom(log);
  if (file === undefined) return undefined;
  try {
    return headerIn(file);
  } finally {
    closeSync(file);
  }
}

/** The frames of a log from a position on, up to the first that is left over. Uncommitted frames are included. */
export function* framesOf(log: string, from = 0, to = Number.POSITIVE_INFINITY): Generator<Frame> {
  const file = openedFrom(log);
  if (file === undefined) return;
  try {
    const header = headerIn(file);
    if (header === undefined) return;
    const frameBytes = header.pageBytes + frameHeaderBytes;
    const buffer = Buffer.alloc(frameBytes * atOnce);
    for (let next = from; next < to; ) {
      const read = readSync(file, buffer, 0, buffer.length, headerBytes + next * frameBytes);
      for (let at = 0; at < atOnce && next < to; at += 1, next += 1) {
        const frame = buffer.subarray(at * frameBytes, (at + 1) * frameBytes);
        if ((at + 1) * frameBytes > read || frame.toString('hex', 8, 16) !== header.salts) return;
        yield { page: frame.readUInt32BE(0), content: frame.subarray(frameHeaderBytes) };
      }
    }
  } finally {
    closeSync(file);
  }
}

function headerIn(file: number): LogHeader | undefined {
  const header = Buffer.alloc(headerBytes);
  if (readSync(file, header, 0, headerBytes, 0) < headerBytes) return undefined;
  const pageBytes = header.readUInt32BE(8);
  if (pageBytes < 512) return undefined;
  return { sequence: header.readUInt32BE(12), salts: header.toString('hex', 16, 24), pageBytes };
}

/** Opens a log. Closing it again releases no lock of SQLite's, because SQLite does not lock the log itself. */
function openedFrom(log: string): number | undefined {
  try {
    return openSync(log, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
