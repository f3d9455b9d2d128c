import { closeSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { framesOf, type LogBeginning, readLogHeader } from './database-log.ts';
import { damagedPages } from './page-comparison.ts';
import {
  digestOf,
  digestsRead,
  forgetDigests,
  type PageDigests,
  pageBytes,
  readDigests,
  writeDigests,
} from './page-digests.ts';
import { PageRounds } from './page-rounds.ts';

/** How many frames the log may have until it is brought into the file: as many as SQLite itself lets it have. */
const maxFrames = 1_000;

/**
 * Keeps a digest of each page of an open database, and compares the file with them round after round. It is of the
 * thread that writes: the file changes only if the log is brought into it, and that is done here. What another program
 * has brought into it is taken as it is.
 */
export class PageLedger {
  readonly #database: string;
  readonly #log: string;
  readonly #connection: Database;
  /** Stays open as long as SQLite has the file: to close it would end SQLite's locks. */
  readonly #file: number;
  readonly #onFault: (error: Error) => void;
  readonly #reported = new Set<number>();
  readonly #rounds: PageRounds;
  #digests: PageDigests;
  /** Whether these are what is next to the database. */
  #isStored = false;
  #beginning: LogBeginning | undefined;
  /** How many frames of it were read, and what is in them, by the page's place. */
  #frames = 0;
  readonly #logged = new Map<number, number>();
  /** Whether all of the log is in the file, and in the digests. */
  #isSettled: boolean;
  /** Whether the log was there before: pages that a crash has torn are written again from it. */
  #isRecovering: boolean;
  #otherWrites: unknown;
  /** Counts what changed the file. */
  #changes = 0;

  /**
   * @param connection the only one that brings the log into the file.
   * @param onFault is notified of pages that are not what was written to them, and of those that cannot be read.
   */
  constructor(database: string, connection: Database, onFault: (error: Error) => void) {
    this.#database = database;
    this.#connection = connection;
    this.#onFault = onFault;
    const path = realpathSync(database);
    this.#log = `${path}-wal`;
    this.#file = openSync(path, 'r');
    connection.pragma('wal_autocheckpoint = 0');
    this.#otherWrites = this.#version();
    this.#beginning = readLogHeader(this.#log);
    this.#isSettled = this.#beginning === undefined;
    this.#isRecovering = !this.#isSettled;
    this.#digests = readDigests(database);
    this.#complete();
    this.#rounds = new PageRounds(this.#file, {
      changes: () => this.#changes,
      compare: (from, found) => this.#compare(from, found),
      failed: onFault,
    });
  }

  /** Brings the log into the file if it has become long; to be called after each write. */
  wrote(): void {
    const frames = this.#follow();
    if (frames >= maxFrames && !this.#isSettled) this.settle();
  }

  /** Brings the log into the file as far as nobody reads it, and notes what is written there. */
  settle(): void {
    this.#follow();
    if (this.#isSettled) return;
    // What is about to be written over may have been damaged, and what is written may derive from it.
    if (!this.#isRecovering) this.#judge(this.#differing([...this.#inLog()]));
    this.#changes += 1;
    const { busy, log, checkpointed } = this.#checkpoint('passive');
    this.#readLog(log);
    if (busy !== 0 || checkpointed !== log) return;
    const pages = this.#pages();
    for (const [place, digest] of this.#logged) this.#digests[place] = digest;
    this.#digests.length = pages;
    const places = [...this.#logged.keys()].filter((place) => place < pages);
    this.#logged.clear();
    this.#isSettled = true;
    this.#isRecovering = false;
    this.#otherWrites = this.#version();
    this.#store(places);
  }

  /** Ends the looks; to be called once SQLite has closed the file. */
  close(): void {
    this.#rounds.stop();
    closeSync(this.#file);
    // Brought into the file by nobody here: the next start takes what is there.
    if (!this.#isSettled && readLogHeader(this.#log) === undefined) forgetDigests(this.#database);
  }

  /** Notices what came into the log, and where it started over; returns how many frames it has. */
  #follow(): number {
    const { log } = this.#checkpoint('noop');
    const [before, now] = [this.#beginning, readLogHeader(this.#log)];
    if (now?.salts === before?.salts && now?.sequence === before?.sequence) {
      if (log > this.#frames) this.#isSettled = false;
      return log;
    }
    // Emptied once all of it was in the file: its next beginning says what came between.
    if (now === undefined && this.#isSettled) return log;
    const isNext = before === undefined || now?.sequence === before.sequence + 1;
    const wasSettled = this.#isSettled;
    this.#beginning = now;
    this.#frames = 0;
    this.#logged.clear();
    this.#isSettled = now === undefined;
    this.#isRecovering = false;
    if (!wasSettled || !isNext) this.#takeAnew();
    return log;
  }

  /** Reads what came into the log since, up to a number of frames. */
  #readLog(to: number): void {
    for (const { page, content } of framesOf(this.#log, this.#frames, to))
      this.#logged.set(page - 1, digestOf(content));
    this.#frames = Math.max(this.#frames, to);
  }

  #compare(from: number, found: readonly number[]): boolean {
    const changed = [...found.keys()]
      .map((at) => from + at)
      .filter((place) => this.#isOther(place, found[place - from]));
    if (changed.length === 0) return true;
    // Nobody may look how far the log is while a write is in progress.
    if (this.#connection.inTransaction) return false;
    this.#follow();
    this.#judge(this.#differing(changed));
    return true;
  }

  /** Reports pages of the file that are neither what is noted nor what is in the log. */
  #judge(changed: readonly number[]): void {
    if (changed.length === 0) return;
    const logged = new Set<string>();
    for (const { page, content } of framesOf(this.#log)) logged.add(`${page - 1} ${digestOf(content)}`);
    const damaged = changed.filter(
      (place) => !this.#reported.has(place) && !logged.has(`${place} ${this.#read(place)}`),
    );
    if (damaged.length === 0) return;
    const version = this.#version();
    if (version !== this.#otherWrites) {
      this.#otherWrites = version;
      this.#takeAnew();
      return;
    }
    for (const place of damaged) this.#reported.add(place);
    this.#onFault(
      damagedPages(
        this.#database,
        [...this.#reported].toSorted((a, b) => a - b),
        this.#digests.length,
      ),
    );
  }

  /** Those of some pages that are not what is noted. */
  #differing(places: readonly number[]): number[] {
    return places.filter((place) => this.#digests[place] !== undefined && this.#isOther(place, this.#read(place)));
  }

  #isOther(place: number, found: number | undefined): boolean {
    const noted = this.#digests[place];
    return noted !== undefined && found !== undefined && noted !== found;
  }

  /** The digest of a page as it is in the file; undefined if the file ends before. */
  #read(place: number): number | undefined {
    const page = Buffer.alloc(pageBytes);
    return readSync(this.#file, page, 0, pageBytes, place * pageBytes) < pageBytes ? undefined : digestOf(page);
  }

  /** The places of the pages that are in the log. */
  #inLog(): Set<number> {
    const places = new Set<number>();
    for (const { page } of framesOf(this.#log)) places.add(page - 1);
    return places;
  }

  #pages(): number {
    return Math.floor(fstatSync(this.#file).size / pageBytes);
  }

  /** Changes with each write of another program. */
  #version(): unknown {
    return this.#connection.pragma('data_version', { simple: true });
  }

  #checkpoint(mode: 'passive' | 'noop'): { busy: number; log: number; checkpointed: number } {
    const [row] = this.#connection.pragma(`wal_checkpoint(${mode})`) as Record<string, bigint>[];
    const read = (name: string) => Number(row?.[name] ?? -1);
    return { busy: read('busy'), log: read('log'), checkpointed: read('checkpointed') };
  }

  /** Takes all that is in the file for right: another program has written there. */
  #takeAnew(): void {
    this.#digests = [];
    this.#isStored = false;
    this.#complete();
  }

  /** Takes the digest of what has none and is not in the log. */
  #complete(): void {
    const pages = this.#pages();
    this.#isStored = this.#digests.length === pages;
    this.#digests.length = pages;
    const logged = this.#inLog();
    const isKnown = (place: number) => this.#digests[place] !== undefined || logged.has(place);
    if (this.#isStored && Array.from({ length: pages }, (_, place) => place).every(isKnown)) return;
    for (const [place, digest] of digestsRead(this.#file).entries()) {
      if (!isKnown(place)) this.#digests[place] = digest;
    }
    this.#isStored = false;
    this.#store([]);
  }

  /** Writes what was noted at some places; all of it if something else is next to the database. */
  #store(places: readonly number[]): void {
    const [from, to] = [Math.min(...places), Math.max(...places) + 1];
    try {
      if (!this.#isStored) writeDigests(this.#database, this.#digests);
      else if (places.length > 0) writeDigests(this.#database, this.#digests, from, to);
      this.#isStored = true;
    } catch {
      // A disk that takes none now: they are kept here, and written whole with the next ones.
      this.#isStored = false;
    }
  }
}
