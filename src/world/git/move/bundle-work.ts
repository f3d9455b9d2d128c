import { stat } from 'node:fs/promises';
import { Failure } from '#contract/failure.ts';
import { stagedTree } from '#world/git/checkout/checkout-index.ts';
import { fillIndex } from '#world/git/checkout/own-index.ts';
import { requireRefName } from '#world/git/repository/branch-name.ts';
import type { CheckoutFolder, GitDirectory } from '#world/git/repository/git-directory.ts';
import { changeReferences, commitOf, lineOf, repositoryGit, writeRef } from '#world/git/repository/repository.ts';
import { openShadow, type Shadow } from '#world/git/repository/shadow.ts';
import { takeChanges } from '#world/git/worktree/carry-changes.ts';
import { branchTip } from '#world/git/worktree/worktree-branch.ts';
import { branchOf } from '#world/git/worktree/worktree-entry.ts';
import { carriedRef } from './carried-ref.ts';
import type { CarriedWork } from './carried-work.ts';
import { plainRemote } from './plain-remote.ts';

/** How long git may take to write a bundle, in milliseconds. */
const bundleMs = 20 * 60_000;

export interface BundleOptions {
  readonly agentId: string;
  /** The branch that the worktree was made with, and the commit that it was made from. */
  readonly branch: string;
  readonly baseSha: string;
  /** Commits that the other host has. */
  readonly known: readonly string[];
  /** Where the bundle is written. */
  readonly file: string;
  readonly maxBytes: number;
}

/**
 * Writes everything in a worktree that git can store and that the other host lacks into one bundle: its commits, what
 * is staged, changed and untracked files of any size, and the snapshots of its reviews. The worktree, its index and
 * HEAD stay as they are.
 * @throws RESOURCE_EXHAUSTED when it is larger than `maxBytes`; FAILED_PRECONDITION when git cannot read or store a
 * file
 */
export async function bundleWork(at: CheckoutFolder, order: BundleOptions): Promise<CarriedWork> {
  requireRefName(order.agentId, 'agent');
  const changes = await takeChanges(at);
  const { headSha, treeSha } = changes;
  await using shadow = await openShadow(at, { headSha, index: 'shadow', objects: 'keep' });
  const { indexed = [] } = await fillIndex(shadow, at, headSha, 'everything');
  const staged = await stagedTree(shadow, indexed);
  if (staged === undefined && indexed.length > 0) {
    throw new Failure(
      'GIT_OPERATION_UNDER_WAY',
      `the index of ${at.workTree} has conflicts: resolve them, or abort the merge`,
    );
  }
  const headTree = lineOf(await shadow.git(['rev-parse', '--verify', `${headSha}^{tree}`]));
  const stagedOwn = staged === undefined || staged === headTree ? undefined : staged;
  const [headBranch, branchSha, rounds, main, origin] = await Promise.all([
    branchOf(at.gitDir),
    branchTip(at, order.branch),
    roundsOf(at, order.agentId),
    mainOf(at),
    originOf(at),
  ]);
  const stagedCommit =
    stagedOwn === undefined ? [] : [await commitTree(shadow, stagedOwn, [headSha], 'What is staged')];
  const held = [headSha, order.baseSha, branchSha, main?.sha, ...stagedCommit, ...rounds.map(({ sha }) => sha)];
  const parents = [...new Set(held.filter((sha) => sha !== undefined))];
  const commit = await commitTree(shadow, treeSha, parents, `Everything in the worktree of ${order.agentId}`);
  await writeRef(at, carriedRef(order.agentId), commit, 'anything');
  await writeBundle(at, commit, order);
  return {
    commit,
    headSha,
    ...(headBranch !== undefined && { headBranch }),
    madeBranch: order.branch,
    baseSha: order.baseSha,
    ...(branchSha !== undefined && { branchSha }),
    treeSha,
    ...(stagedOwn !== undefined && { stagedTree: stagedOwn }),
    rounds,
    ...(main !== undefined && { main }),
    ...(origin !== undefined && { origin }),
  };
}

/** Removes the reference that keeps the moved objects. */
export async function dropCarried(at: GitDirectory, agentId: string): Promise<void> {
  await writeRef(at, carriedRef(agentId), undefined, 'anything');
}

/** Those of the commits that a repository has. */
export async function heldOf(at: GitDirectory, commits: readonly string[]): Promise<readonly string[]> {
  if (commits.length === 0) return [];
  const input = commits.map((sha) => `${sha}\n`).join('');
  const { stdout } = await repositoryGit(at, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input });
  const lines = stdout.toString('utf8').split('\n');
  return lines.filter((line) => line.endsWith(' commit')).map((line) => line.slice(0, line.indexOf(' ')));
}

/** The commits at the ends of a repository's branches and tags, or of those of its remotes alone, newest first. */
export async function tipsOf(
  at: GitDirectory,
  limit: number,
  which: 'all' | 'pushed' = 'all',
): Promise<readonly string[]> {
  const args = ['for-each-ref', '--sort=-creatordate', `--count=${limit * 2}`, '--format=%(objecttype) %(objectname)'];
  const refs = which === 'all' ? ['refs/heads', 'refs/remotes', 'refs/tags'] : ['refs/remotes'];
  const { stdout } = await repositoryGit(at, [...args, ...refs]);
  const lines = stdout.toString('utf8').split('\n');
  const commits = lines.filter((line) => line.startsWith('commit ')).map((line) => line.slice('commit '.length));
  return [...new Set(commits)].slice(0, limit);
}

async function writeBundle(at: GitDirectory, commit: string, order: BundleOptions): Promise<void> {
  const known = (await heldOf(at, order.known)).filter((sha) => sha !== commit);
  const without = known.map((sha) => `^${sha}\n`).join('');
  const input = `${carriedRef(order.agentId)}\n${without}`;
  const sizing = ['rev-list', '--objects', '--disk-usage', '--stdin'];
  const size = await repositoryGit(at, sizing, { input: `${commit}\n${without}`, timeoutMs: bundleMs });
  refuseTooLarge(Number(lineOf(size)), order.maxBytes);
  await changeReferences(at, ['bundle', 'create', '--quiet', order.file, '--stdin'], { input, timeoutMs: bundleMs });
  refuseTooLarge((await stat(order.file)).size, order.maxBytes);
}

function refuseTooLarge(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  const [size, limit] = [bytes, maxBytes].map((count) => `${(count / 1024 ** 2).toFixed(0)} MiB`);
  throw new Failure(
    'PACKAGE_TOO_LARGE',
    `its work has ${size} that the other host lacks, and at most ${limit} are carried: fetch the repository there, or ` +
      'have large files ignored',
  );
}

async function roundsOf(at: GitDirectory, agentId: string): Promise<CarriedWork['rounds']> {
  const listed = await repositoryGit(at, [
    'for-each-ref',
    '--format=%(objectname) %(refname:lstrip=4)',
    `refs/muster/rounds/${agentId}/`,
  ]);
  const lines = listed.stdout.toString('utf8').split('\n').filter(Boolean);
  return lines.map((line) => ({ sha: line.slice(0, line.indexOf(' ')), name: line.slice(line.indexOf(' ') + 1) }));
}

/** The branch that is checked out in the repository itself, from which new work starts. */
async function mainOf(at: GitDirectory): Promise<CarriedWork['main']> {
  const branch = await branchOf(at.commonDir);
  const sha = branch === undefined ? undefined : await commitOf(at, `refs/heads/${branch}`);
  return branch === undefined || sha === undefined ? undefined : { branch, sha };
}

/** The URL that the repository was cloned from, without credentials; undefined if it is not on a forge. */
async function originOf(at: GitDirectory): Promise<string | undefined> {
  const read = await repositoryGit(at, ['config', '--local', '--get', 'remote.origin.url'], { exitCodes: [0, 1] });
  return plainRemote(lineOf(read));
}

async function commitTree(shadow: Shadow, tree: string, parents: readonly string[], message: string): Promise<string> {
  const args = ['commit-tree', ...parents.flatMap((parent) => ['-p', parent]), '-m', message, tree];
  return lineOf(await shadow.git(args));
}
