import type { GitOptions, GitOutput } from './git.ts';
import { splitPaths } from './git-paths.ts';

/** Runs git with an index of muster's own. */
export type IndexGit = (args: readonly string[], options?: GitOptions) => Promise<GitOutput>;

/** Commands that leave the entries of an index as they are. */
const readers: ReadonlySet<string> = new Set([
  'cat-file',
  'check-attr',
  'check-ignore',
  'config',
  'diff-tree',
  'ls-files',
  'ls-tree',
  'rev-parse',
  'status',
  'write-tree',
]);

/** An index of muster's own, whose entries are listed again only once a command may have changed them. */
export class IndexEntries {
  readonly #git: IndexGit;
  #listed: Promise<readonly string[]> | undefined;

  constructor(git: IndexGit) {
    this.#git = git;
  }

  /** Runs git with the index. Nothing else may write it between two lists. */
  readonly git: IndexGit = async (args, options) => {
    if (readers.has(args[0] ?? '')) return this.#git(args, options);
    this.#listed = undefined;
    try {
      return await this.#git(args, options);
    } finally {
      this.#listed = undefined;
    }
  };

  /** The lines of `ls-files --stage`, in Latin-1. */
  readonly entries = async (): Promise<readonly string[]> => {
    const list = this.#listed ?? this.#git(['ls-files', '--stage', '-z']).then(({ stdout }) => splitPaths(stdout));
    this.#listed = list;
    try {
      return await list;
    } catch (error) {
      if (this.#listed === list) this.#listed = undefined;
      throw error;
    }
  };
}
