import { createHash } from 'node:crypto';

/** The cache of one worktree: an index of its checked-out commit with the stat data of hashed files. */
export interface CachedIndex {
  readonly headSha: string;
  readonly content: Buffer;
  /** When the index was written, in whole seconds since 1970. Git rehashes files that are younger. */
  readonly writtenAt: number;
}

/** The maximum size of all caches, in bytes. Beyond that, the least recently used one is dropped. */
const maxBytes = 96 * 1024 * 1024;
/**
 * An entry is trusted only if its file had been unchanged for this long before it was hashed: a second change may have
 * the same timestamp, and a write through a memory mapping updates the timestamp only when the kernel writes the page
 * back (after 30 s by default, checked every 5 s).
 */
const settledSeconds = 60;

/** The stat data at the start of an index entry: ctime, mtime, dev, ino, mode, uid, gid, size, as 32-bit numbers. */
const statBytes = 40;
const modeAt = 24;

/**
 * Caches what muster itself has read of each worktree. The cache is in memory, because an agent could modify a file.
 */
export class IndexMemory {
  readonly #kept = new Map<string, CachedIndex>();
  #bytes = 0;

  get(key: string): CachedIndex | undefined {
    const found = this.#kept.get(key);
    if (found === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found;
  }

  /** @param startedAt when hashing of the files started, in seconds since 1970 */
  put(key: string, index: CachedIndex, startedAt: number): void {
    this.#forget(key);
    const content = withoutFresh(index.content, index.headSha.length / 2, startedAt - settledSeconds);
    if (content === undefined || content.length > maxBytes) return;
    this.#kept.set(key, { ...index, content });
    this.#bytes += content.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= maxBytes) break;
      this.#forget(oldest);
    }
  }

  /** Drops every key with this end. */
  forgetEndingIn(end: string): void {
    for (const key of this.#kept.keys()) if (key.endsWith(end)) this.#forget(key);
  }

  #forget(key: string): void {
    this.#bytes -= this.#kept.get(key)?.content.length ?? 0;
    this.#kept.delete(key);
  }
}

/**
 * The index without the stat data of files that changed at `since` or later (in seconds since 1970), so that git hashes
 * these again. Undefined if its version is neither 2 nor 3.
 */
function withoutFresh(index: Buffer, oidBytes: number, since: number): Buffer | undefined {
  const version = index.length > 12 ? index.readUInt32BE(4) : 0;
  if (index.toString('latin1', 0, 4) !== 'DIRC' || (version !== 2 && version !== 3)) return undefined;
  const content = Buffer.from(index);
  let at = 12;
  for (let left = content.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + statBytes + oidBytes;
    const isExtended = (content.readUInt16BE(flagsAt) & 0x4000) !== 0;
    const nameEnd = content.indexOf(0, flagsAt + (isExtended ? 4 : 2));
    if (nameEnd < 0) return undefined;
    if (content.readUInt32BE(at) >= since) {
      content.fill(0, at, at + modeAt);
      content.fill(0, at + modeAt + 4, at + statBytes);
    }
    // Entries are padded with one to eight zeroes to a multiple of eight bytes.
    at += (nameEnd - at + 8) & ~7;
  }
  const sum = createHash(oidBytes === 32 ? 'sha256' : 'sha1').update(content.subarray(0, -oidBytes));
  sum.digest().copy(content, content.length - oidBytes);
  return content;
}
