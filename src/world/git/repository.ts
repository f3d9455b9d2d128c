import { Failure } from '#contract/failure.ts';
import { deniedConfig, type GitOptions, type GitOutput, git } from './git.ts';
import { findGitDirectory, type GitDirectory } from './git-directory.ts';
import { syncObjects, syncRef } from './synced-store.ts';

/** Finds the repository of a folder. Throws `failed_precondition` where there is none. */
export async function openRepository(dir: string): Promise<GitDirectory> {
  const found = await findGitDirectory(dir);
  if (found !== undefined) return found;
  throw new Failure(
    'failed_precondition',
    `${dir} is not in a git repository: choose a folder of a checkout, or run git init`,
  );
}

/**
 * Runs git with the real repository: for references, history and the list of worktrees, with everything switched off
 * that its configuration could make git run. Never for a command that looks at files of a checkout: that is the
 * Shadow's.
 */
export function repositoryGit(at: GitDirectory, args: readonly string[], options: GitOptions = {}): Promise<GitOutput> {
  return git([`--git-dir=${at.gitDir}`, ...deniedConfig, ...args], options);
}

/** The commit that a revision stands for; undefined where there is no such commit. */
export async function commitOf(at: GitDirectory, revision: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const { stdout, exitCode } = await repositoryGit(at, args, { exitCodes: [0, 1, 128] });
  return exitCode === 0 ? stdout.toString('utf8').trim() : undefined;
}

/** What a change to a reference expects to find; `absent` where it must not exist yet. */
export type Expected = 'anything' | 'absent' | { readonly sha: string };

/**
 * Points a full reference at a commit, or removes it where `sha` is undefined. Throws a GitError where it was moved
 * meanwhile.
 */
export async function writeRef(
  at: GitDirectory,
  ref: string,
  sha: string | undefined,
  expected: Expected,
): Promise<void> {
  const none = '0'.repeat(sha?.length ?? 40);
  const old = expected === 'anything' ? [] : [expected === 'absent' ? none : expected.sha];
  await repositoryGit(at, ['update-ref', '--no-deref', ...(sha === undefined ? ['-d', ref] : [ref, sha]), ...old]);
}

/** Does what `writeRef` does, and returns once the reference and all that it stands for outlive a power cut. */
export async function writeLastingRef(at: GitDirectory, ref: string, sha: string, expected: Expected): Promise<void> {
  // First the objects: a reference to what was lost could be neither read nor written again.
  await syncObjects(at);
  await writeRef(at, ref, sha, expected);
  await syncRef(at, ref);
}

/** The first line of a command's answer, such as the name of an object. */
export function lineOf({ stdout }: GitOutput): string {
  return stdout.toString('utf8').trim();
}
