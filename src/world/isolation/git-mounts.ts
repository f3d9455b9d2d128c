import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { findGitDirectory, type GitDirectory, readLine } from '#world/git/repository/git-directory.ts';
import { isWithin } from '#world/within.ts';
import type { Mount } from './mount.ts';

/** A worktree that an isolated agent works in. */
export interface OwnWorktree {
  readonly path: string;
  /** The prefix of the branches that the agent may write, such as `muster/0a1b2c3d`. */
  readonly branches: string;
}

/**
 * What an agent sees of the repository of its own worktree: as much as a commit, a fetch and a push need. It can write
 * objects, its own branches, remote-tracking branches and its worktree's own state. It can change nothing that a
 * person's next command would run or follow: no configuration, hook or attribute of the repository, no other branch and
 * no other worktree.
 * @throws ISOLATION_UNSAFE when the worktree leads to a repository that does not know it
 */
export async function ownWorktreeMounts({ path, branches }: OwnWorktree): Promise<Mount[]> {
  const at = await findGitDirectory(path);
  if (at === undefined || at.workTree !== path || !(await isKnownTo(at))) throw foreign(path);
  const { commonDir, gitDir } = at;
  const writable = [
    join(commonDir, 'objects'),
    ...['refs/heads', 'logs/refs/heads'].map((folder) => join(commonDir, folder, branches)),
    join(commonDir, 'refs', 'remotes'),
    join(commonDir, 'logs', 'refs', 'remotes'),
    gitDir,
  ];
  const info = join(commonDir, 'objects', 'info');
  for (const folder of [...writable, info]) mkdirSync(folder, { recursive: true });
  // What would lead git to another repository or configuration.
  const leads = ['commondir', 'gitdir', 'config.worktree'].map((name) => join(gitDir, name));
  for (const file of leads) if (!existsSync(file)) writeFileSync(file, '', { flag: 'wx' });
  return [
    { at: path, access: 'write' },
    ...repositoryMounts(at),
    ...alternatesOf(join(commonDir, 'objects')).map((folder) => ({ at: folder, access: 'read' }) as const),
    ...writable.map((folder) => ({ at: folder, access: 'write' }) as const),
    ...[info, ...leads, join(path, '.git')].map((file) => ({ at: file, access: 'read' }) as const),
  ];
}

/**
 * What an agent sees of a directory that is not its own worktree: it may change its files and read its repository, but
 * commit nothing. `kept` are folders that must not be inside: then only the directory itself is shown.
 */
export async function directoryMounts(cwd: string, kept: readonly string[]): Promise<Mount[]> {
  const at = await findGitDirectory(cwd);
  const root = at?.workTree;
  const isShown = root !== undefined && !kept.some((folder) => isWithin(root, folder));
  if (at === undefined || !isShown || !(await isKnownTo(at))) return [{ at: cwd, access: 'write' }];
  return [{ at: root, access: 'write' }, ...repositoryMounts(at), { at: join(root, '.git'), access: 'read' }];
}

/**
 * Whether a checkout's repository is inside it, or lists it as a worktree. A `.git` that somebody wrote there could lead
 * to any repository.
 */
async function isKnownTo({ workTree, gitDir, commonDir }: GitDirectory): Promise<boolean> {
  if (workTree === undefined) return false;
  const dotGit = join(workTree, '.git');
  const found = lstatSync(dotGit, { throwIfNoEntry: false });
  if (found?.isDirectory()) return gitDir === dotGit && commonDir === dotGit;
  return found?.isFile() === true && (await readLine(join(gitDir, 'gitdir'))) === dotGit;
}

/** The repository, read-only. */
function repositoryMounts({ commonDir, gitDir }: GitDirectory): Mount[] {
  return [commonDir, gitDir].map((at) => ({ at, access: 'read' }));
}

/** The folders whose objects a repository borrows. */
function alternatesOf(objects: string): string[] {
  const file = join(objects, 'info', 'alternates');
  if (!existsSync(file)) return [];
  const named = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => (isAbsolute(line) ? line : resolve(objects, line)));
  return named.filter((path) => existsSync(path));
}

function foreign(path: string): Failure {
  return new Failure(
    'ISOLATION_UNSAFE',
    `cannot be isolated: ${path} is not a worktree that its repository knows: restore its .git file, or delete the agent`,
  );
}
