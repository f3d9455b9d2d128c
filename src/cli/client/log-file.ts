import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const suffix = '.jsonl';
const newline = 10;
/** Milliseconds between checks of followed files. */
const pollEveryMs = 250;

/** The names of the processes that have a log, sorted. */
export async function loggedProcesses(folder: string): Promise<string[]> {
  try {
    const files = await readdir(folder);
    return files
      .filter((file) => file.endsWith(suffix))
      .map((file) => file.slice(0, -suffix.length))
      .sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** The log of one process: its last lines, and then new ones, also across rotation. */
export class LogFile {
  readonly #path: string;
  #inode: number | undefined;
  #offset = 0;

  constructor(folder: string, name: string) {
    this.#path = join(folder, name + suffix);
  }

  /** The last lines, oldest first; also from the previous file if the newest has fewer. */
  async last(count: number): Promise<string[]> {
    const now = await statOf(this.#path);
    if (now === undefined) return [];
    const newest = await tailOf(this.#path, count, now.size);
    const before = await statOf(`${this.#path}.1`);
    const missing = count - newest.length;
    const older = before && missing > 0 ? await tailOf(`${this.#path}.1`, missing, before.size) : [];
    this.#inode = now.inode;
    this.#offset = now.size;
    return [...older, ...newest];
  }

  /** The complete lines since the last call; the first call returns all of the newest file. */
  async lines(): Promise<string[]> {
    const now = await statOf(this.#path);
    if (now === undefined) return [];
    const aside = now.inode === this.#inode ? undefined : await statOf(`${this.#path}.1`);
    const rest = aside !== undefined && aside.inode === this.#inode ? await this.#read(`${this.#path}.1`) : [];
    if (now.inode !== this.#inode) this.#offset = 0;
    this.#inode = now.inode;
    return [...rest, ...(await this.#read(this.#path))];
  }

  async #read(path: string): Promise<string[]> {
    const bytes = await readBetween(path, this.#offset, Number.POSITIVE_INFINITY);
    const end = bytes.lastIndexOf(newline) + 1;
    this.#offset += end;
    return linesOf(bytes.subarray(0, end));
  }
}

/** Yields new lines of the logs, also of processes that start later, until the signal aborts. */
export async function* growingLines(
  folder: string,
  logs: Map<string, LogFile>,
  wanted: (name: string) => boolean,
  signal?: AbortSignal,
): AsyncGenerator<string[], void> {
  while (!signal?.aborted) {
    for (const name of (await loggedProcesses(folder)).filter(wanted)) {
      if (!logs.has(name)) logs.set(name, new LogFile(folder, name));
    }
    for (const log of logs.values()) yield await log.lines();
    await delay(pollEveryMs, undefined, signal && { signal }).catch(() => {});
  }
}

async function tailOf(path: string, count: number, size: number): Promise<string[]> {
  for (let wanted = count * 1024; size > 0; wanted *= 4) {
    const start = Math.max(0, size - wanted);
    const lines = linesOf(await readBetween(path, start, size));
    if (start > 0) lines.shift();
    if (lines.length >= count || start === 0) return lines.slice(-count);
  }
  return [];
}

function linesOf(bytes: Buffer): string[] {
  return bytes.toString('utf8').split('\n').filter(Boolean);
}

async function statOf(path: string): Promise<{ inode: number; size: number } | undefined> {
  try {
    const { ino, size } = await stat(path);
    return { inode: ino, size };
  } catch {
    return undefined;
  }
}

async function readBetween(path: string, start: number, end: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.max(0, Math.min(size, end) - start));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
