import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import { cancelledBy } from '#world/concurrency/cancellation.ts';
import { findGitDirectory, type GitDirectory } from '#world/git/repository/git-directory.ts';
import { addWorktree, type Worktree } from './worktree.ts';
import { discardWorktree } from './worktree-discard.ts';

export interface ThrowawayOptions {
  /** An id not used before; it names worktree and branch. */
  readonly id: string;
  /** Any folder of the repository. */
  readonly repository: string;
  readonly base?: string;
  /** Cancels making the worktree. It is removed anyway. */
  readonly signal: AbortSignal;
}

const Note = z.object({ repository: z.string(), path: z.string(), branch: z.string(), reason: z.string() });

/**
 * Worktrees that are removed once the work in them has ended, successfully or not. Each is recorded in a file before it
 * is made, so that the next process removes what one that died has left.
 */
export class ThrowawayWorktrees {
  readonly #worktrees: string;
  readonly #notes: string;

  /** `worktrees`: the folder that they are made in. `notes`: the folder of the notes. */
  constructor({ worktrees, notes }: { readonly worktrees: string; readonly notes: string }) {
    this.#worktrees = worktrees;
    this.#notes = notes;
  }

  /**
   * Makes a worktree, runs work in it, and removes it.
   * @throws as the work; Failure when the worktree cannot be made, FAILED_PRECONDITION when it could not be removed
   */
  async within<T>(
    { id, repository, base, signal }: ThrowawayOptions,
    work: (worktree: Worktree, from: GitDirectory) => Promise<T>,
  ): Promise<T> {
    const at = await findGitDirectory(repository);
    if (at === undefined) throw new Failure('NOT_A_REPOSITORY', `${repository} is not in a git repository`);
    const name = id.toLowerCase();
    const path = join(this.#worktrees, name);
    const order = { repository: at.commonDir, path, branch: `muster/${name}`, reason: `muster ${id}` };
    await mkdir(this.#notes, { recursive: true });
    const note = join(this.#notes, `${name}.json`);
    await writeFile(note, JSON.stringify(order), { flag: 'wx' });
    try {
      const made = { ...order, repository, ...(base && { base }) };
      return await work(await cancelledBy(signal, () => addWorktree(made)), at);
    } finally {
      await remove(note, order);
    }
  }

  /** Removes what an earlier process left. Returns what could not be removed, which is retried next time. */
  async sweep(): Promise<string[]> {
    const left: string[] = [];
    for (const name of await readdir(this.#notes).catch(() => [])) {
      const note = join(this.#notes, name);
      await readFile(note, 'utf8')
        .then((text) => remove(note, Note.parse(JSON.parse(text))))
        .catch(() => left.push(note));
    }
    return left;
  }
}

async function remove(note: string, order: z.infer<typeof Note>): Promise<void> {
  try {
    await discardWorktree(order);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Failure(
      'FILE_NOT_USABLE',
      `the worktree ${order.path} could not be removed (${why}): muster tries again at the next start of this host`,
      { cause },
    );
  }
  await rm(note, { force: true });
}
