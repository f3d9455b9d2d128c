import { Failure } from '#contract/failure.ts';
import { deniedConfig, type GitOptions, type GitOutput, git } from './git.ts';
import { findGitDirectory, type GitDirectory } from './git-directory.ts';
import { shownPath, splitPaths } from './git-paths.ts';
import { syncObjects, syncRef } from './synced-store.ts';

/** Finds the repository of a folder. @throws FAILED_PRECONDITION when there is none */
export async function openRepository(dir: string): Promise<GitDirectory> {
  const found = await findGitDirectory(dir);
  if (found !== undefined) return found;
  throw new Failure(
    'NOT_A_REPOSITORY',
    `${dir} is not in a git repository: choose a folder of a checkout, or run git init`,
  );
}

/**
 * Runs git with the real repository, for references, history and the list of worktrees, with everything disabled that
 * its configuration could run. Commands that read files of a checkout must run in a Shadow.
 */
export function repositoryGit(at: GitDirectory, args: readonly string[], options: GitOptions = {}): Promise<GitOutput> {
  return git([`--git-dir=${at.gitDir}`, ...deniedConfig, ...args], options);
}

/** The events of hooks that git runs when a reference changes or a worktree is created. */
const hookEvents = ['reference-transaction', 'post-checkout', 'post-index-change'];

/**
 * Like `repositoryGit`, for commands that change references: it also disables hooks in the repository's configuration.
 */
export async function changeReferences(
  at: GitDirectory,
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitOutput> {
  return repositoryGit(at, args, { ...options, env: { ...options.env, ...(await withoutNamedHooks(at)) } });
}

/**
 * The environment that disables the hooks in a repository's configuration, which git runs since 2.54 regardless of
 * `core.hooksPath`. A switch per event exists since 2.55, but is ineffective if a hook has the event's name, so each
 * hook is disabled by name.
 * @throws FAILED_PRECONDITION when a hook's name cannot be passed to git
 */
export async function withoutNamedHooks(at: GitDirectory): Promise<Record<string, string>> {
  const args = ['config', '--null', '--name-only', '--get-regexp', '^hook\\.'];
  const { stdout } = await repositoryGit(at, args, { exitCodes: [0, 1] });
  const names = splitPaths(stdout).map((key) =>
    key.slice('hook.'.length, Math.max(key.lastIndexOf('.'), 'hook.'.length)),
  );
  const all = [...new Set([...hookEvents, ...names.filter((name) => name !== '').map(utf8)])];
  const settings = all.flatMap((name, index) => [
    [`GIT_CONFIG_KEY_${index}`, `hook.${name}.enabled`],
    [`GIT_CONFIG_VALUE_${index}`, 'false'],
  ]);
  return { GIT_CONFIG_COUNT: String(all.length), ...Object.fromEntries(settings) };
}

function utf8(name: string): string {
  const text = shownPath(name);
  if (Buffer.from(text).equals(Buffer.from(name, 'latin1'))) return text;
  throw new Failure(
    'REPOSITORY_UNREADABLE',
    `git's configuration names a hook ${text}, which is not UTF-8: remove it there`,
  );
}

/** The commit of a revision; undefined if there is none. */
export async function commitOf(at: GitDirectory, revision: string): Promise<string | undefined> {
  return (await commitsOf(at, [revision]))[0];
}

/** The commit of each revision, read in one call; undefined for one that has none. */
export async function commitsOf(
  at: GitDirectory,
  revisions: readonly string[],
): Promise<readonly (string | undefined)[]> {
  // An empty line has no commit, as a name with a line break.
  const input = revisions.map((revision) => (revision.includes('\n') ? '\n' : `${revision}^{commit}\n`)).join('');
  const args = ['cat-file', '--batch-check=%(objecttype) %(objectname)'];
  const { stdout } = await repositoryGit(at, args, { input, exitCodes: [0, 128] });
  const lines = stdout.toString('utf8').split('\n');
  return revisions.map((_, index) => /^commit (\w+)$/.exec(lines[index] ?? '')?.[1]);
}

/** The expected old value of a reference; `absent` if it must not exist yet. */
export type ExpectedRef = 'anything' | 'absent' | { readonly sha: string };

/**
 * Points a full reference at a commit, or removes it if `sha` is undefined.
 * @throws GitError when it was changed meanwhile
 */
export async function writeRef(
  at: GitDirectory,
  ref: string,
  sha: string | undefined,
  expected: ExpectedRef,
): Promise<void> {
  const none = '0'.repeat(sha?.length ?? 40);
  const old = expected === 'anything' ? [] : [expected === 'absent' ? none : expected.sha];
  await changeReferences(at, ['update-ref', '--no-deref', ...(sha === undefined ? ['-d', ref] : [ref, sha]), ...old]);
}

/** Like `writeRef`, but returns once the reference and its objects survive a power failure. */
export async function writeLastingRef(
  at: GitDirectory,
  ref: string,
  sha: string,
  expected: ExpectedRef,
): Promise<void> {
  // Objects come first, because a reference to lost objects could be neither read nor written again.
  await syncObjects(at);
  await writeRef(at, ref, sha, expected);
  await syncRef(at, ref);
}

/** The first line of a command's output, such as an object's name. */
export function lineOf({ stdout }: GitOutput): string {
  return stdout.toString('utf8').trim();
}
