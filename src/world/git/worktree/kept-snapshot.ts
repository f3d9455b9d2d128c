import { readHeadSha } from '#world/git/checkout/checkout.ts';
import { type IndexedFile, stagedTree } from '#world/git/checkout/checkout-index.ts';
import { fillIndex } from '#world/git/checkout/own-index.ts';
import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { commitOf, repositoryGit, writeLastingRef } from '#world/git/repository/repository.ts';
import { openShadow, type Shadow } from '#world/git/repository/shadow.ts';
import { syncObjects, syncRef } from '#world/git/repository/synced-store.ts';
import { withNestedFiles } from '#world/git/snapshot/nested-files.ts';
import { overPlainFiles } from '#world/git/snapshot/plain-lists.ts';
import { requireWhole, snapshotTree } from '#world/git/snapshot/snapshot.ts';
import { branchTip, dropBranch, markedBase } from './worktree-branch.ts';
import { branchOf, worktreeEntries } from './worktree-entry.ts';
import { removalReadMs } from './worktree-inspection.ts';

/** The reference that keeps an agent's work, `refs/muster/kept/<agentId>`, if it exists. */
export async function keptUnder(at: GitDirectory, agentId: string): Promise<string | undefined> {
  const ref = keptRef(agentId);
  return (await commitOf(at, ref)) === undefined ? undefined : ref;
}

/** The name of the reference that keeps an agent's work. */
export function keptRef(agentId: string): string {
  return `refs/muster/kept/${agentId}`;
}

/** Removes a branch that muster made, if the kept snapshot has all of its commits and it is checked out nowhere. */
export async function dropKeptBranch(at: GitDirectory, agentId: string, branch: string): Promise<void> {
  const tip = await branchTip(at, branch);
  if (tip === undefined || (await markedBase(at, branch)) === undefined) return;
  const heads = [await branchOf(at.commonDir), ...(await worktreeEntries(at.commonDir)).map((one) => one.branch)];
  if (heads.includes(branch)) return;
  const args = ['merge-base', '--is-ancestor', tip, keptRef(agentId)];
  const { exitCode } = await repositoryGit(at, args, { exitCodes: [0, 1, 128] });
  if (exitCode === 0) await dropBranch(at, branch, tip);
}

/**
 * Keeps everything in a worktree under a reference: a commit of all tracked and untracked files, also those of nested
 * repositories, whose parents are HEAD, what was staged, and the reference's earlier commit. A repeated call changes
 * nothing. Of a worktree that is missing only HEAD is kept.
 * @throws FAILED_PRECONDITION when a file cannot be stored: then nothing is kept
 */
export async function keepSnapshot(at: GitDirectory, ref: string, what: 'present' | 'missing'): Promise<void> {
  const headSha = await readHeadSha(at);
  const view = what === 'missing' ? { ...at, workTree: undefined } : at;
  await using shadow = await openShadow(view, { headSha, index: 'shadow', objects: 'keep' });
  const head = headSha === undefined ? [] : [headSha];
  const { workTree } = view;
  if (workTree === undefined) {
    const tree = await treeOf(shadow, headSha);
    if (tree !== undefined) await keepUnder(at, shadow, ref, tree, head);
    return;
  }
  const look = async () => {
    const { indexed = [], committed } = await fillIndex(shadow, { ...at, workTree }, headSha, 'everything');
    requireWhole(await snapshotTree(shadow, workTree, committed));
    return { indexed, tree: await withNestedFiles(shadow, workTree) };
  };
  const { indexed, tree } = await overPlainFiles(shadow, { ...at, workTree }, look, removalReadMs);
  const staged = await stagedCommit(shadow, indexed, headSha);
  await keepUnder(at, shadow, ref, tree, staged === undefined ? head : [...head, staged]);
}

/** A commit of what only the index may have; undefined if there is nothing, or a merge left conflicts in the index. */
async function stagedCommit(
  shadow: Shadow,
  indexed: readonly IndexedFile[],
  headSha: string | undefined,
): Promise<string | undefined> {
  const tree = indexed.length === 0 ? undefined : await stagedTree(shadow, indexed);
  if (tree === undefined || tree === (await treeOf(shadow, headSha))) return undefined;
  return commitTree(shadow, tree, headSha === undefined ? [] : [headSha], 'What was staged', {
    // A fixed date gives the same commit for the same content.
    GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
    GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
  });
}

async function keepUnder(
  at: GitDirectory,
  shadow: Shadow,
  ref: string,
  tree: string,
  parents: readonly string[],
): Promise<void> {
  const before = await commitOf(at, ref);
  if (before !== undefined && (await holds(shadow, before, tree, parents))) {
    await syncObjects(at);
    return await syncRef(at, ref);
  }
  const all = before === undefined ? parents : [...parents, before];
  const commit = await commitTree(shadow, tree, all, 'Everything in the worktree before it was removed');
  await writeLastingRef(at, ref, commit, before === undefined ? 'absent' : { sha: before });
}

async function holds(shadow: Shadow, commit: string, tree: string, parents: readonly string[]): Promise<boolean> {
  const { stdout } = await shadow.git(['rev-list', '--no-commit-header', '--format=%T %P', '-n', '1', commit, '--']);
  const [keptTree, ...keptParents] = stdout.toString('utf8').trim().split(' ');
  return keptTree === tree && parents.every((parent) => keptParents.includes(parent));
}

async function commitTree(
  shadow: Shadow,
  tree: string,
  parents: readonly string[],
  message: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const args = ['commit-tree', ...parents.flatMap((parent) => ['-p', parent]), '-m', message, tree];
  return (await shadow.git(args, { env })).stdout.toString('utf8').trim();
}

async function treeOf(shadow: Shadow, commit: string | undefined): Promise<string | undefined> {
  if (commit === undefined) return undefined;
  const { stdout } = await shadow.git(['rev-parse', '--verify', `${commit}^{tree}`]);
  return stdout.toString('utf8').trim();
}
