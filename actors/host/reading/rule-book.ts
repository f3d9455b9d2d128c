import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import type { Log } from '#contract/process-context.ts';
import { bookOf, type FileStatus, type HeldBook } from '#machines/harness/book.ts';
import type { Harness } from '#machines/harness/definition.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { rulesVersion } from '#machines/pane/version.ts';
import { type FolderWatch, readRuleFolder, watchRuleFolder } from '#world/file/rule-folder.ts';
import { sha256Of } from '#world/file/text-digest.ts';
import { isSlowPattern } from '#world/pattern-trial.ts';

export interface RuleBookOptions {
  /** `rules` of the state folder. */
  readonly folder: string;
  readonly builtIn: Harnesses;
  readonly log: Log;
  /** What the registry has as confirmed: by harness the digest of what its file has launched. */
  readonly confirmed: Confirmed;
}

/** Digests of launches that a person confirmed for this host, by harness. */
export type Confirmed = Readonly<Record<string, string>>;

/**
 * The harnesses of this host: those that are built in, as people's files change and add to them, read again as these
 * change.
 */
export class RuleBook implements Harnesses {
  readonly #options: RuleBookOptions;
  readonly #listeners = new Set<() => void>();
  /** Versions of rules that took too long on some screen. */
  readonly #slow = new Set<string>();
  /** What was last said of each file. */
  readonly #said = new Map<string, string>();
  #confirmed: ReadonlyMap<string, string>;
  #book: HeldBook;
  #watch: FolderWatch | undefined;
  #reading: Promise<void> | undefined;
  #again = false;

  private constructor(options: RuleBookOptions) {
    this.#options = options;
    this.#confirmed = new Map(Object.entries(options.confirmed));
    this.#book = { ...options.builtIn, files: [], held: new Map() };
  }

  /** Reads the folder and goes on watching it until it is stopped. */
  static async open(options: RuleBookOptions): Promise<RuleBook> {
    const book = new RuleBook(options);
    book.#watch = await watchRuleFolder(options.folder, () => void book.readAnew());
    await book.readAnew();
    return book;
  }

  all(): readonly Harness[] {
    return this.#book.all();
  }

  find(name: string): Harness | undefined {
    return this.#book.find(name);
  }

  get files(): readonly FileStatus[] {
    return this.#book.files;
  }

  /**
   * Hears what the registry has as confirmed now: it alone decides, and none of it is kept on this machine. Resolves
   * once the book goes by it.
   */
  async hear(confirmed: Confirmed): Promise<void> {
    const known = new Map(Object.entries(confirmed));
    const isSame =
      known.size === this.#confirmed.size && [...known].every(([key, one]) => this.#confirmed.get(key) === one);
    if (isSame) return this.#reading;
    this.#confirmed = known;
    await this.readAnew();
  }

  /** Calls back whenever the files were read again. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Takes rules out of force that took too long on a screen; their file is refused until it is changed. */
  refuse(screens: HarnessScreens): void {
    const { builtIn, log } = this.#options;
    const { harness } = screens;
    if (builtIn.find(harness)?.screens === screens) {
      log.error({ harness }, 'a screen took too long to read and counts as uncertain');
      return;
    }
    this.#slow.add(rulesVersion(screens));
    void this.readAnew();
  }

  stop(): void {
    this.#watch?.stop();
    this.#listeners.clear();
  }

  /** Reads all files; one more time if they changed meanwhile. */
  readAnew(): Promise<void> {
    this.#again = true;
    this.#reading ??= this.#readAll()
      .catch((err: unknown) => this.#options.log.error({ err }, 'the rules could not be read'))
      .then(() => {
        this.#reading = undefined;
        return this.#again ? this.readAnew() : undefined;
      });
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    const { folder, builtIn } = this.#options;
    while (this.#again) {
      this.#again = false;
      const found = await readRuleFolder(folder);
      const objectionTo = (screens: HarnessScreens) =>
        this.#slow.has(rulesVersion(screens)) ? 'its rules took too long on a screen: simplify them' : undefined;
      const isConfirmed = (harness: string, digest: string) => this.#confirmed.get(harness) === digest;
      const examine = { isSlow: isSlowPattern, objectionTo, digestOf: sha256Of, isConfirmed };
      this.#book = bookOf(builtIn, found, examine, this.#book);
      this.#notify();
    }
    for (const listener of this.#listeners) listener();
  }

  /** Says of each file what happened to it, once. */
  #notify(): void {
    const { log } = this.#options;
    for (const { harness, path, faults, instead, launch } of this.#book.files) {
      const said = JSON.stringify([faults, launch]);
      if (this.#said.get(path) === said) continue;
      this.#said.set(path, said);
      if (faults.length === 0) log.info({ harness, path }, 'a rules file was accepted');
      for (const { line, reason } of faults) {
        log.warn({ harness, path, line, reason, instead }, 'a rules file is refused');
      }
      if (launch?.isConfirmed === false) {
        const mend = `muster harness confirm ${harness}`;
        log.warn(
          { harness, path, digest: launch.digest, mend },
          'what a rules file launches waits for a person’s confirmation',
        );
      }
    }
  }
}
