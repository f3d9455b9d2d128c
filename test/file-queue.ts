/** What the stores and registries of tests run on, as MUSTER_TEST_DATABASE has it. */
export type TestEngine = 'sqlite' | 'postgres';

/** A file to be run on an engine. */
export interface TestRun {
  /** Unique, and shown. */
  readonly name: string;
  readonly file: string;
  readonly engine: TestEngine;
  /** How long it may take, in milliseconds. */
  readonly ms: number;
}

/**
 * How many files run beside a long one. A folder is taken at the latest when its longest file takes as long as each of
 * so many has still to do: else that file runs alone at the end.
 */
const beside = 4;

/** The folder of a file, on its engine: what lies in one folder of the tests loads much the same. */
const folderOf = ({ engine, file }: TestRun): string => `${engine} ${/^test\/[^/]+\//.exec(file)?.[0] ?? ''}`;

/**
 * The files that have not run yet. A process stays in its folder while it has any: all that they load is
 * there already, and nothing else is in memory, by which each start of a program costs more.
 */
export class FileQueue {
  readonly #folders = new Map<string, TestRun[]>();
  /** The folder that each who asked is in. */
  readonly #places = new Map<number, string>();

  constructor(runs: readonly TestRun[]) {
    for (const run of runs.toSorted((a, b) => b.ms - a.ms)) {
      const folder = folderOf(run);
      this.#folders.set(folder, [...(this.#folders.get(folder) ?? []), run]);
    }
  }

  get isEmpty(): boolean {
    return this.#folders.size === 0;
  }

  /** Whether the next file of this one lies in another folder than its last. */
  leaves(who: number): boolean {
    const folder = this.#places.get(who);
    return folder === undefined || !this.#folders.has(folder);
  }

  /**
   * The longest file of its folder; if none is left, of the folder with most to do for each who is there, or with a
   * file that has to begin.
   */
  next(who: number): TestRun | undefined {
    if (this.leaves(who)) this.#move(who);
    return this.#folders.get(this.#places.get(who) ?? '')?.[0];
  }

  /** As `next`, which then is no longer in the queue. */
  take(who: number): TestRun | undefined {
    const taken = this.next(who);
    if (taken === undefined) return undefined;
    const folder = folderOf(taken);
    const [, ...others] = this.#folders.get(folder) ?? [];
    if (others.length === 0) this.#folders.delete(folder);
    else this.#folders.set(folder, others);
    return taken;
  }

  clear(): void {
    this.#folders.clear();
  }

  #move(who: number): void {
    this.#places.delete(who);
    const shares = [...this.#folders].map(([folder, runs]) => {
      const there = [...this.#places.values()].filter((place) => place === folder).length;
      const share = runs.reduce((sum, { ms }) => sum + ms, 0) / (there + 1);
      return { folder, share: Math.max(share, beside * (runs[0]?.ms ?? 0)) };
    });
    const [most] = shares.toSorted((a, b) => b.share - a.share);
    if (most !== undefined) this.#places.set(who, most.folder);
  }
}
