import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import type { Log } from '#contract/process-context.ts';
import type { Harness } from '#machines/harness/definition.ts';
import { type FileStatus, harnessSetOf, type LoadedHarnesses } from '#machines/harness/harness-set.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { rulesVersion } from '#machines/pane/version.ts';
import { type FolderWatch, readRuleFolder, watchRuleFolder } from '#world/file/rule-folder.ts';
import { sha256Of } from '#world/file/text-digest.ts';
import { isSlowPattern } from '#world/pattern-trial.ts';

export interface HarnessCatalogueOptions {
  /** The folder `rules` in the state folder. */
  readonly folder: string;
  readonly builtIn: Harnesses;
  readonly log: Log;
  /** The confirmations at the start. */
  readonly confirmed: ConfirmedDigests;
}

/** By harness, the digest of the launch that a person has confirmed for this host. */
export type ConfirmedDigests = Readonly<Record<string, string>>;

/**
 * The harnesses of this host: the built-in ones, changed and extended by people's files, which are read again when they
 * change.
 */
export class HarnessCatalogue implements Harnesses {
  readonly #options: HarnessCatalogueOptions;
  readonly #listeners = new Set<() => void>();
  /** Versions of rules that took too long on some screen. */
  readonly #slow = new Set<string>();
  /** What was last logged about each file. */
  readonly #said = new Map<string, string>();
  #confirmed: ReadonlyMap<string, string>;
  #loaded: LoadedHarnesses;
  #watch: FolderWatch | undefined;
  #reading: Promise<void> | undefined;
  #again = false;

  private constructor(options: HarnessCatalogueOptions) {
    this.#options = options;
    this.#confirmed = new Map(Object.entries(options.confirmed));
    this.#loaded = { ...options.builtIn, files: [], held: new Map() };
  }

  /** Reads the folder, and watches it until `stop`. */
  static async open(options: HarnessCatalogueOptions): Promise<HarnessCatalogue> {
    const catalogue = new HarnessCatalogue(options);
    catalogue.#watch = await watchRuleFolder(options.folder, () => void catalogue.reload());
    await catalogue.reload();
    return catalogue;
  }

  all(): readonly Harness[] {
    return this.#loaded.all();
  }

  find(name: string): Harness | undefined {
    return this.#loaded.find(name);
  }

  get files(): readonly FileStatus[] {
    return this.#loaded.files;
  }

  /**
   * Sets the confirmations. Only the registry decides them, and this machine stores none. Resolves once the
   * harnesses reflect it.
   */
  async setConfirmed(confirmed: ConfirmedDigests): Promise<void> {
    const known = new Map(Object.entries(confirmed));
    const isSame =
      known.size === this.#confirmed.size && [...known].every(([key, one]) => this.#confirmed.get(key) === one);
    if (isSame) return this.#reading;
    this.#confirmed = known;
    await this.reload();
  }

  /** Calls `listener` whenever the files have been read again. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Disables rules that took too long on a screen. Their file is refused until it changes. */
  refuse(screens: HarnessScreens): void {
    const { builtIn, log } = this.#options;
    const { harness } = screens;
    if (builtIn.find(harness)?.screens === screens) {
      log.error({ harness }, 'a screen took too long to read and counts as uncertain');
      return;
    }
    this.#slow.add(rulesVersion(screens));
    void this.reload();
  }

  stop(): void {
    this.#watch?.stop();
    this.#listeners.clear();
  }

  /** Reads all files, and again if they have changed meanwhile. */
  reload(): Promise<void> {
    this.#again = true;
    this.#reading ??= this.#readAll()
      .catch((err: unknown) => this.#options.log.error({ err }, 'the rules could not be read'))
      .then(() => {
        this.#reading = undefined;
        return this.#again ? this.reload() : undefined;
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
      this.#loaded = harnessSetOf(builtIn, found, examine, this.#loaded);
      this.#notify();
    }
    for (const listener of this.#listeners) listener();
  }

  /** Logs the result of each file, if it differs from the last one. */
  #notify(): void {
    const { log } = this.#options;
    for (const { harness, path, faults, instead, launch } of this.#loaded.files) {
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
