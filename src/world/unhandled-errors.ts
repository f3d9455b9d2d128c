import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '#contract/process-context.ts';
import { readPrivateFile, writePrivateFile } from '#world/file/private-file.ts';
import { redactText } from './log.ts';

/**
 * The kind of an unhandled error: a rejected promise, or an exception, which includes an `error` event without a
 * listener.
 */
export type UnhandledEvent = 'unhandledRejection' | 'uncaughtException';

/** Unhandled errors of one place in the code. */
export interface UnhandledPlace {
  /**
   * Where the error was created, by the first line of its stack that is in muster's code; its name if there is none.
   */
  readonly place: string;
  readonly message: string;
  readonly event: UnhandledEvent;
  readonly times: number;
  /** When it last occurred, in milliseconds since 1970. */
  readonly lastAt: number;
}

/** The maximum number of places that are distinguished. Errors of other places are only counted. */
const maxPlaces = 20;
/** How long a place is kept after its last error, in milliseconds. */
const rememberedMs = 7 * 24 * 60 * 60_000;
const maxMessageLength = 300;
const suffix = '.unhandled.json';

/**
 * The unhandled errors of this process. Each is counted, and its place is logged the first time and each time the count
 * has grown tenfold, so that one error cannot flood the log. They are also recorded in a file next to the log, which
 * outlives the process.
 */
export class UnhandledErrors {
  readonly #places = new Map<string, UnhandledPlace>();
  #count = 0;
  #log: Log | undefined;
  #file: string | undefined;

  /** How many there were since the process started. */
  get count(): number {
    return this.#count;
  }

  /** Logs them from now on, and records them in the folder of logs, after those of earlier processes of this name. */
  keep(log: Log | undefined, folder: string, name: string): void {
    this.#log = log;
    this.#file = join(folder, name + suffix);
    for (const known of readPlaces(this.#file)) {
      if (known.lastAt > Date.now() - rememberedMs) this.#places.set(known.place, known);
    }
  }

  note(error: unknown, event: UnhandledEvent): void {
    this.#count += 1;
    const place = placeOf(error);
    const known = this.#places.get(place);
    if (known === undefined && this.#places.size >= maxPlaces) return;
    const times = (known?.times ?? 0) + 1;
    const message = redactText(String(error instanceof Error ? error.message : error)).slice(0, maxMessageLength);
    this.#places.set(place, { place, message, event, times, lastAt: Date.now() });
    if (known !== undefined && !isPowerOfTen(times)) return;
    this.#log?.error({ err: error, place, event, times }, 'an error that nobody handled');
    this.#write();
  }

  #write(): void {
    if (this.#file === undefined) return;
    try {
      writePrivateFile(this.#file, JSON.stringify([...this.#places.values()]));
    } catch {
      // The disk may be full. The count continues, and the next record contains all of them.
    }
  }
}

/** The unhandled errors of this process. */
export const unhandledErrors = new UnhandledErrors();

/** The errors that processes recorded in a folder of logs, by the names of the processes. */
export async function readUnhandled(folder: string): Promise<ReadonlyMap<string, readonly UnhandledPlace[]>> {
  const files = await readdir(folder).catch((): string[] => []);
  const names = files.filter((file) => file.endsWith(suffix)).map((file) => file.slice(0, -suffix.length));
  return new Map(names.toSorted().map((name) => [name, readPlaces(join(folder, name + suffix))]));
}

function readPlaces(file: string): UnhandledPlace[] {
  try {
    const places: unknown = JSON.parse(readPrivateFile(file) ?? '[]');
    return Array.isArray(places) ? places.filter(isPlace) : [];
  } catch {
    return []; // It was damaged, and is written again with the next one.
  }
}

function isPlace(value: unknown): value is UnhandledPlace {
  if (typeof value !== 'object' || value === null) return false;
  const { place, message, times, lastAt } = value as Partial<UnhandledPlace>;
  return (
    typeof place === 'string' && typeof message === 'string' && typeof times === 'number' && typeof lastAt === 'number'
  );
}

function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const lines = (error.stack ?? '').split('\n').filter((line) => /^\s*at /.test(line));
  const own = lines.find((line) => !/node:|node_modules/.test(line)) ?? lines[0];
  return own === undefined
    ? error.name
    : own
        .trim()
        .replace(/^at /, '')
        .replace(/file:\/\//, '');
}

function isPowerOfTen(count: number): boolean {
  return /^10*$/.test(String(count));
}
