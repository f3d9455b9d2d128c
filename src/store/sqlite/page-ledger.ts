import { closeSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { framesOf, type LogHeader, readLogHeader } from './database-log.ts';
import { run } from './native-database.ts';
import { damagedPages } from './page-comparison.ts';
import {
  digestOf,
  digestsInOpen,
  type PageDigests,
  pageBytes,
  readDigests,
  removeDigests,
  writeDigests,
} from './page-digests.ts';
import { PageScrubber } from './page-scrubber.ts';

/** How many frames the log may have before a checkpoint: SQLite's own default. */
const maxFrames = 1_000;
/** When a call that was asked for is asked for again, in milliseconds. */
const askAgainMs = 5_000;

/** What a ledger reports. */
interface LedgerListener {
  /** Called with pages that are not as they were written, and when pages cannot be read. */
  readonly onFault: (error: Error) => void;
  /** Called when a `tend` call is needed. */
  readonly onDue: () => void;
}

/**
 * Keeps a digest of each page of an open database, and compares the file with the digests again and again. Only
 * checkpoints change the file, and muster's run here; what another program's checkpoint wrote is accepted as it is.
 *
 * Calls that take `foreignWrites` must be made while this process does not write. It changes with each write of another
 * program.
 */
export class PageLedger {
  readonly #database: string;
  readonly #log: string;
  readonly #connection: Database;
  /** Stays open as long as SQLite has the file open, because closing it would release SQLite's locks. */
  readonly #file: number;
  readonly #listener: LedgerListener;
  readonly #reported = new Set<number>();
  readonly #scrubber: PageScrubber;
  #digests: PageDigests;
  /** Whether the stored digests are the same as `#digests`. */
  #isStored = false;
  #header: LogHeader | undefined;
  /** How many frames of the log were read. */
  #frames = 0;
  /** The digests of the pages in these frames, by the page's index. */
  readonly #logged = new Map<number, number>();
  /** Whether the whole log is in the file, and in the digests. */
  #isCheckpointed: boolean;
  /** Whether the log is from before the start. A checkpoint of it repairs pages that a crash has torn. */
  #isRecovering: boolean;
  /** The foreign writes that the digests account for. */
  #accounted = 0;
  /** The indexes of pages that do not match their digest, which the next call judges. */
  readonly #suspects = new Set<number>();
  /** When a `tend` call was asked for that has not come, in milliseconds. */
  #askedAt: number | undefined;
  /** Whether the whole log is in the file, so that the next commit may begin it again. */
  #mayBegin = false;
  /** Counts muster's own changes of the file. */
  #changes = 0;

  /** @param connection the only connection of this process that runs checkpoints */
  constructor(database: string, connection: Database, listener: LedgerListener) {
    this.#database = database;
    this.#connection = connection;
    this.#listener = listener;
    const path = realpathSync(database);
    this.#log = `${path}-wal`;
    this.#file = openSync(path, 'r');
    connection.pragma('wal_autocheckpoint = 0');
    // The other connections wait meanwhile.
    connection.pragma('busy_timeout = 0');
    this.#header = readLogHeader(this.#log);
    this.#isCheckpointed = this.#header === undefined;
    this.#isRecovering = !this.#isCheckpointed;
    this.#digests = readDigests(database);
    this.#addMissing();
    this.#scrubber = new PageScrubber(this.#file, {
      changes: () => this.#changes,
      compare: (from, found) => this.#compare(from, found),
      failed: listener.onFault,
    });
  }

  /** Asks for a `tend` call if the log has become long, or all of it is in the file. */
  look(): void {
    if (this.#isLong() || this.#mayBegin) this.#askForCall();
  }

  /** Judges the pages that do not match their digest, and runs a checkpoint if the log has become long. */
  tend(foreignWrites: number): void {
    this.#askedAt = undefined;
    const suspects = [...this.#suspects];
    this.#suspects.clear();
    const isLong = this.#isLong();
    this.#reportDamage(this.#changedAmong(suspects), foreignWrites);
    if (isLong || this.#mayBegin) this.checkpoint(foreignWrites);
    this.#beginLog();
  }

  /** Runs a checkpoint, whatever the length of the log. */
  checkpointNow(foreignWrites: number): void {
    this.checkpoint(foreignWrites);
    this.#beginLog();
  }

  /**
   * Begins the log again if all of it is in the file. That waits for the disk, so it must not be left to the next
   * commit.
   */
  #beginLog(): void {
    if (!this.#isCheckpointed) return;
    const version = this.#connection.pragma('user_version', { simple: true });
    this.#connection.pragma(`user_version = ${version}`);
    this.#followLog();
  }

  /** Runs a checkpoint as far as readers allow it, and records the digests of the pages that it writes. */
  checkpoint(foreignWrites: number): void {
    this.#followLog();
    if (this.#isCheckpointed) return;
    // Check the pages that it overwrites: their new content may derive from damaged content.
    if (!this.#isRecovering) this.#reportDamage(this.#changedAmong([...this.#pagesInLog()]), foreignWrites);
    this.#changes += 1;
    const { busy, log, checkpointed } = this.#runCheckpoint('passive');
    this.#readLog(log);
    if (busy !== 0 || checkpointed !== log) return;
    const pages = this.#countPages();
    for (const [place, digest] of this.#logged) this.#digests[place] = digest;
    this.#digests.length = pages;
    const places = [...this.#logged.keys()].filter((place) => place < pages);
    this.#logged.clear();
    this.#isCheckpointed = true;
    this.#isRecovering = false;
    this.#accounted = foreignWrites;
    this.#save(places);
  }

  /** Stops the checks. To be called once SQLite has closed the file. */
  close(): void {
    this.#scrubber.stop();
    closeSync(this.#file);
    // Another program wrote the log to the file: the next start accepts the file as it is.
    if (!this.#isCheckpointed) forgetDigests(this.#database);
  }

  #isLong(): boolean {
    const frames = this.#followLog();
    return frames >= maxFrames && !this.#isCheckpointed;
  }

  #askForCall(): void {
    const now = performance.now();
    if (this.#askedAt !== undefined && now - this.#askedAt < askAgainMs) return;
    this.#askedAt = now;
    this.#listener.onDue();
  }

  /** Detects whether the log has grown or was restarted; returns how many frames it has. */
  #followLog(): number {
    const { log, checkpointed } = this.#runCheckpoint('noop');
    this.#mayBegin = log > 0 && checkpointed === log;
    const [before, now] = [this.#header, readLogHeader(this.#log)];
    if (now?.salts === before?.salts && now?.sequence === before?.sequence) {
      if (log > this.#frames) this.#isCheckpointed = false;
      return log;
    }
    // It was emptied after a complete checkpoint. Its next header shows whether another program restarted it.
    if (now === undefined && this.#isCheckpointed) return log;
    const isNext = before === undefined || now?.sequence === before.sequence + 1;
    const wasCheckpointed = this.#isCheckpointed;
    this.#header = now;
    this.#frames = 0;
    this.#logged.clear();
    this.#isCheckpointed = now === undefined;
    this.#isRecovering = false;
    if (!wasCheckpointed || !isNext) this.#acceptFile();
    return log;
  }

  /** Reads the frames of the log that were not read yet, up to a position. */
  #readLog(to: number): void {
    for (const { page, content } of framesOf(this.#log, this.#frames, to))
      this.#logged.set(page - 1, digestOf(content));
    this.#frames = Math.max(this.#frames, to);
  }

  #compare(from: number, found: readonly number[]): boolean {
    const changed = [...found.keys()]
      .map((at) => from + at)
      .filter((place) => !this.#reported.has(place) && this.#hasChanged(place, found[place - from]));
    if (changed.length === 0) return true;
    for (const place of changed) this.#suspects.add(place);
    this.#askForCall();
    return true;
  }

  /** Reports pages of the file that match neither their digest nor the log. */
  #reportDamage(changed: readonly number[], foreignWrites: number): void {
    if (changed.length === 0) return;
    const logged = new Set<string>();
    for (const { page, content } of framesOf(this.#log)) logged.add(`${page - 1} ${digestOf(content)}`);
    const damaged = changed.filter(
      (place) => !this.#reported.has(place) && !logged.has(`${place} ${this.#read(place)}`),
    );
    if (damaged.length === 0) return;
    if (foreignWrites !== this.#accounted) {
      this.#accounted = foreignWrites;
      this.#acceptFile();
      return;
    }
    for (const place of damaged) this.#reported.add(place);
    this.#listener.onFault(
      damagedPages(
        this.#database,
        [...this.#reported].toSorted((a, b) => a - b),
        this.#digests.length,
      ),
    );
  }

  /** Those of some pages that do not match their digest. */
  #changedAmong(places: readonly number[]): number[] {
    return places.filter((place) => this.#digests[place] !== undefined && this.#hasChanged(place, this.#read(place)));
  }

  #hasChanged(place: number, found: number | undefined): boolean {
    const expected = this.#digests[place];
    return expected !== undefined && found !== undefined && expected !== found;
  }

  /** Computes the digest of a page of the file; undefined if the file ends before it. */
  #read(place: number): number | undefined {
    const page = Buffer.alloc(pageBytes);
    return readSync(this.#file, page, 0, pageBytes, place * pageBytes) < pageBytes ? undefined : digestOf(page);
  }

  /** The indexes of the pages that are in the log. */
  #pagesInLog(): Set<number> {
    const places = new Set<number>();
    for (const { page } of framesOf(this.#log)) places.add(page - 1);
    return places;
  }

  #countPages(): number {
    return Math.floor(fstatSync(this.#file).size / pageBytes);
  }

  #runCheckpoint(mode: 'passive' | 'noop'): { busy: number; log: number; checkpointed: number } {
    const [row] = run(this.#connection, { sql: `pragma wal_checkpoint(${mode})`, parameters: [] }).rows;
    const read = (name: string) => Number(row?.[name] ?? -1);
    return { busy: read('busy'), log: read('log'), checkpointed: read('checkpointed') };
  }

  /** Accepts the file as it is, because another program has written to it. */
  #acceptFile(): void {
    this.#digests = [];
    this.#isStored = false;
    this.#addMissing();
  }

  /** Adds the digests of pages that have none and are not in the log. */
  #addMissing(): void {
    const pages = this.#countPages();
    this.#isStored = this.#digests.length === pages;
    this.#digests.length = pages;
    const logged = this.#pagesInLog();
    const isKnown = (place: number) => this.#digests[place] !== undefined || logged.has(place);
    if (this.#isStored && Array.from({ length: pages }, (_, place) => place).every(isKnown)) return;
    for (const [place, digest] of digestsInOpen(this.#file).entries()) {
      if (!isKnown(place)) this.#digests[place] = digest;
    }
    this.#isStored = false;
    this.#save([]);
  }

  /** Stores the digests of some pages; all digests if the stored ones are different. */
  #save(places: readonly number[]): void {
    const [from, to] = [Math.min(...places), Math.max(...places) + 1];
    try {
      if (!this.#isStored) writeDigests(this.#database, this.#digests);
      else if (places.length > 0) writeDigests(this.#database, this.#digests, from, to);
      this.#isStored = true;
    } catch {
      // The disk does not accept them now: they stay in memory, and the next call stores all of them.
      this.#isStored = false;
    }
  }
}

/** Removes the digests of a file whose log is gone, because something that made none has written it to the file. */
export function forgetDigests(database: string): void {
  if (readLogHeader(`${realpathSync(database)}-wal`) === undefined) removeDigests(database);
}
