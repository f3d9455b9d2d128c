import { readdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { type CheckoutFolder, readLine } from '#world/git/repository/git-directory.ts';

/** A repository's own record of one of its linked worktrees. */
export interface WorktreeEntry {
  /** The worktree's own git directory, `<common>/worktrees/<name>`. */
  readonly adminDir: string;
  /** Where the worktree is; undefined if the record is incomplete. */
  readonly path: string | undefined;
  /** The branch it is on, without `refs/heads/`. */
  readonly branch: string | undefined;
  /** Why it is locked; undefined if it is not. */
  readonly lockReason: string | undefined;
}

/** The linked worktrees of a repository, read from its files. */
export async function worktreeEntries(commonDir: string): Promise<WorktreeEntry[]> {
  const names = await readdir(join(commonDir, 'worktrees')).catch(() => []);
  return Promise.all(names.map((name) => readEntry(join(commonDir, 'worktrees', name))));
}

/** Whether an entry belongs to this owner and was interrupted before it said where its worktree is. */
export function isCutShort(entry: WorktreeEntry, reason: string): boolean {
  return entry.path === undefined && entry.lockReason === reason;
}

/**
 * The path with the symbolic links of its parent folders resolved, as git records it; the last segment need not exist.
 */
export async function resolveExistingPath(path: string): Promise<string> {
  const absolute = resolve(path);
  const real = await realpath(absolute).catch(() => undefined);
  if (real !== undefined) return real;
  return absolute === dirname(absolute)
    ? absolute
    : join(await resolveExistingPath(dirname(absolute)), basename(absolute));
}

/** What `<path>/.git` points to, as a full path; undefined if there is no pointer. */
export async function pointerOf(path: string): Promise<string | undefined> {
  const line = await readLine(join(path, '.git'));
  return line?.startsWith('gitdir: ') ? resolveExistingPath(resolve(path, line.slice('gitdir: '.length))) : undefined;
}

/** The git directory of a worktree that a repository has recorded. */
export function directoryOf(entry: WorktreeEntry, commonDir: string, path: string): CheckoutFolder {
  return { workTree: path, gitDir: entry.adminDir, commonDir };
}

/** The worktree that a repository has recorded at a settled path. @throws INTERNAL when there is none. */
export async function worktreeAt(commonDir: string, path: string): Promise<CheckoutFolder> {
  const entry = (await worktreeEntries(commonDir)).find((one) => one.path === path);
  if (entry === undefined) throw new Failure('INTERNAL', `git made no worktree at ${path}`);
  return directoryOf(entry, commonDir, path);
}

/** Forgets a worktree as `git worktree prune` does, but only this one, and even if it is locked. */
export async function forgetEntry(entry: WorktreeEntry): Promise<void> {
  await rm(entry.adminDir, { recursive: true, force: true });
}

/** The branch that a git directory's HEAD is on, without `refs/heads/`; undefined if it is detached. */
export async function branchOf(gitDir: string): Promise<string | undefined> {
  const head = await readLine(join(gitDir, 'HEAD'));
  return head?.startsWith('ref: refs/heads/') ? head.slice('ref: refs/heads/'.length) : undefined;
}

async function readEntry(adminDir: string): Promise<WorktreeEntry> {
  const [gitdir, branch, lockReason] = await Promise.all([
    readLine(join(adminDir, 'gitdir')),
    branchOf(adminDir),
    readLine(join(adminDir, 'locked')),
  ]);
  return {
    adminDir,
    path: gitdir?.endsWith('/.git') ? await resolveExistingPath(dirname(resolve(adminDir, gitdir))) : undefined,
    branch,
    lockReason,
  };
}
