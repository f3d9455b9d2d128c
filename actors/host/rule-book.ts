import type { Log } from '#contract/process-context.ts';
import type { HarnessScreens } from '#contract/screen-rule.ts';
import { bookOf, type FileStanding, type HarnessBook } from '#machines/harness/book.ts';
import type { Harness } from '#machines/harness/definition.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { rulesVersion } from '#machines/pane/version.ts';
import { isSlowPattern } from '#world/pattern-trial.ts';
import { type FolderWatch, readRuleFolder, watchRuleFolder } from '#world/rule-folder.ts';

export interface RuleBookOptions {
  /** `rules` of the state folder. */
  readonly folder: string;
  readonly builtIn: Harnesses;
  readonly log: Log;
}

/** The harnesses of this host: those that are built in, as people's files change and add to them, read anew as these change. */
export class RuleBook implements Harnesses {
  readonly #options: RuleBookOptions;
  readonly #listeners = new Set<() => void>();
  /** Versions of rules that took too long on some screen. */
  readonly #slow = new Set<string>();
  /** What was last said of each file. */
  readonly #said = new Map<string, string>();
  #book: HarnessBook;
  #watch: FolderWatch | undefined;
  #reading: Promise<void> | undefined;
  #again = false;

  private constructor(options: RuleBookOptions) {
    this.#options = options;
    this.#book = { ...options.builtIn, files: [] };
  }

  /** Reads the folder and goes on watching it until it is stopped. */
  static async open(options: RuleBookOptions): Promise<RuleBook> {
    const book = new RuleBook(options);
    book.#watch = await watchRuleFolder(options.folder, () => void book.#readAnew());
    await book.#readAnew();
    return book;
  }

  all(): readonly Harness[] {
    return this.#book.all();
  }

  find(name: string): Harness | undefined {
    return this.#book.find(name);
  }

  get files(): readonly FileStanding[] {
    return this.#book.files;
  }

  /** Calls back whenever the files were read anew. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Takes rules out of force that took too long on a screen; their file is refused until it is changed. */
  refuse(screens: HarnessScreens): void {
    const { builtIn, log } = this.#options;
    const { harness } = screens;
    if (builtIn.find(harness)?.screens === screens) {
      log.error({ harness }, 'a screen took too long to be read and counts as uncertain');
      return;
    }
    this.#slow.add(rulesVersion(screens));
    void this.#readAnew();
  }

  stop(): void {
    this.#watch?.stop();
    this.#listeners.clear();
  }

  /** Reads all files; one more time where they changed meanwhile. */
  #readAnew(): Promise<void> {
    this.#again = true;
    this.#reading ??= this.#readAll()
      .catch((err: unknown) => this.#options.log.error({ err }, 'the rules could not be read'))
      .finally(() => {
        this.#reading = undefined;
        if (this.#again) void this.#readAnew();
      });
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    const { folder, builtIn } = this.#options;
    while (this.#again) {
      this.#again = false;
      const found = await readRuleFolder(folder);
      const objectionTo = (screens: HarnessScreens) =>
        this.#slow.has(rulesVersion(screens)) ? 'its rules took too long on a screen: mend them' : undefined;
      this.#book = bookOf(builtIn, found, { isSlow: isSlowPattern, objectionTo }, this.#book);
      this.#tell();
    }
    for (const listener of this.#listeners) listener();
  }

  /** Says of each file what became of it, once. */
  #tell(): void {
    const { log } = this.#options;
    for (const { harness, path, faults, instead } of this.#book.files) {
      const said = JSON.stringify(faults);
      if (this.#said.get(path) === said) continue;
      this.#said.set(path, said);
      if (faults.length === 0) log.info({ harness, path }, 'a file of rules holds');
      for (const { line, reason } of faults) {
        log.warn({ harness, path, line, reason, instead }, 'a file of rules is refused');
      }
    }
  }
}
