import { lstat, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { requireDiskRoom } from '#world/file/package/disk-room.ts';
import { isBranchName, requireRefName } from '#world/git/repository/branch-name.ts';
import { git } from '#world/git/repository/git.ts';
import type { CheckoutFolder, GitDirectory } from '#world/git/repository/git-directory.ts';
import {
  changeReferences,
  commitOf,
  lineOf,
  openRepository,
  repositoryGit,
  writeLastingRef,
  writeRef,
} from '#world/git/repository/repository.ts';
import { openShadow } from '#world/git/repository/shadow.ts';
import { putChanges } from '#world/git/worktree/carry-changes.ts';
import { addWorktree, type Worktree, type WorktreeOptions } from '#world/git/worktree/worktree.ts';
import { branchState, branchTip, markBase, markedBase } from '#world/git/worktree/worktree-branch.ts';
import { branchOf, resolveExistingPath, worktreeAt, worktreeEntries } from '#world/git/worktree/worktree-entry.ts';
import { openBundlePack } from './bundle-pack.ts';
import { carriedRef } from './carried-ref.ts';
import type { CarriedWork } from './carried-work.ts';
import { plainRemote } from './plain-remote.ts';

/** How long git may take to check and store a bundle, in milliseconds. */
const fetchMs = 20 * 60_000;

/** Harmless defects of old commits in real repositories. All others are refused. */
const harmless = [
  'missingEmail',
  'badTimezone',
  'missingSpaceBeforeEmail',
  'zeroPaddedFilemode',
  'badEmail',
  'badName',
];

export interface LandingOptions extends Omit<WorktreeOptions, 'base' | 'repository'> {
  readonly agentId: string;
  readonly work: CarriedWork;
  readonly moveId: string;
  /** The bundle that `bundleWork` wrote. */
  readonly file: string;
}

/**
 * Makes an agent's worktree from a bundle of another host: the same commits, branch, staged, changed and untracked
 * files. git checks each object of the bundle, so that no path leads out of the worktree; nothing that the repository
 * configures is run, and only references of the agent are written. If the path or the branch is in use, both get a
 * suffix. A repeated call has the same result.
 * @throws FAILED_PRECONDITION when the bundle does not match its description
 */
export async function landWork(at: GitDirectory, order: LandingOptions): Promise<Worktree> {
  const { agentId, work } = order;
  requireRefName(agentId, 'agent');
  await takeBundle(at, order);
  await requireRoom(at, work.treeSha, dirname(order.path));
  const reason = `${order.reason} ${moveSuffix(order.moveId)}`;
  const place = await freePlace(at, order, reason);
  const made = await addWorktree({ ...place, reason, repository: at.commonDir, base: work.headSha });
  const worktree = await worktreeAt(at.commonDir, made.path);
  await markBase(at, place.branch, work.baseSha);
  await putChanges(worktree, work.headSha, { headSha: work.headSha, treeSha: work.treeSha, submodules: [] });
  if (work.stagedTree !== undefined) await stage(worktree, work.stagedTree);
  for (const { name, sha } of work.rounds) {
    await writeRef(at, `refs/muster/rounds/${agentId}/${name}`, sha, 'anything');
  }
  if (work.headBranch !== work.madeBranch) await turnTo(at, worktree, place.branch, work);
  return { path: made.path, branch: place.branch, baseSha: work.baseSha };
}

/** The suffix of names that distinguishes an agent's moves. */
export function moveSuffix(moveId: string): string {
  return moveId.slice(-6).toLowerCase();
}

/** The worktree that `landWork` has made or begun to make for a move; undefined if there is none. */
export async function landedAt(at: GitDirectory, reason: string, moveId: string): Promise<Worktree | undefined> {
  const entries = await worktreeEntries(at.commonDir);
  const own = entries.find(({ lockReason }) => lockReason === `${reason} ${moveSuffix(moveId)}`);
  if (own?.path === undefined || own.branch === undefined) return undefined;
  return { path: own.path, branch: own.branch, baseSha: (await markedBase(at, own.branch)) ?? '' };
}

/** Makes a bare repository, for a host that has none, from the commits of a bundle. A repeated call finds it. */
export async function makeRepository(
  path: string,
  order: Pick<LandingOptions, 'agentId' | 'work' | 'file'>,
): Promise<void> {
  const { work } = order;
  await mkdir(path, { recursive: true, mode: 0o700 });
  await git(['init', '--quiet', '--bare', '--initial-branch', plainBranch(work.main?.branch), '--', path]);
  const at = await openRepository(path);
  await takeBundle(at, order);
  const { main, origin } = work;
  if (main !== undefined && isBranchName(main.branch)) {
    await writeLastingRef(at, `refs/heads/${main.branch}`, main.sha, 'anything');
  }
  const remote = origin === undefined ? undefined : plainRemote(origin);
  if (remote === undefined) return;
  await repositoryGit(at, ['config', '--local', 'remote.origin.url', remote]);
  await repositoryGit(at, ['config', '--local', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*']);
}

function plainBranch(branch = 'main'): string {
  return /^[A-Za-z0-9][A-Za-z0-9._/-]{0,200}$/.test(branch) && isBranchName(branch) ? branch : 'main';
}

/** Stores the objects of a bundle, each of which git has checked, under the agent's own reference. */
async function takeBundle(
  at: GitDirectory,
  { agentId, work, file }: Pick<LandingOptions, 'agentId' | 'work' | 'file'>,
): Promise<void> {
  const strict = `--strict=${harmless.map((name) => `${name}=ignore`).join(',')}`;
  await using pack = await openBundlePack(file);
  try {
    await repositoryGit(at, ['index-pack', '--stdin', '--fix-thin', strict], {
      inputFile: pack.fd,
      timeoutMs: fetchMs,
    });
  } catch (error) {
    throw refusedBundle(error instanceof Error ? error.message : String(error));
  }
  const { commit, headSha, baseSha, branchSha, rounds, main } = work;
  if ((await commitOf(at, commit)) !== commit) throw refusedBundle('it does not hold the commit that it announces');
  const named = [headSha, baseSha, ...(branchSha ? [branchSha] : []), ...(main ? [main.sha] : [])];
  for (const sha of [...named, ...rounds.map((round) => round.sha)]) {
    const { exitCode } = await repositoryGit(at, ['merge-base', '--is-ancestor', sha, commit], {
      exitCodes: [0, 1, 128],
      timeoutMs: fetchMs,
    });
    if (exitCode !== 0) throw refusedBundle(`it does not hold ${sha}`);
  }
  await writeLastingRef(at, carriedRef(agentId), commit, 'anything');
}

function refusedBundle(why: string): Failure {
  return new Failure('PACKAGE_REFUSED', `what the other host sent cannot be used: ${why}`);
}

/** Refuses a tree whose files would fill the disk. */
async function requireRoom(at: GitDirectory, treeSha: string, folder: string): Promise<void> {
  const { stdout } = await repositoryGit(at, ['ls-tree', '-r', '-l', '-z', treeSha], { maxOutputBytes: 1024 ** 3 });
  let bytes = 0;
  for (const line of stdout.toString('latin1').split('\0')) bytes += Number(/ +(\d+)\t/.exec(line)?.[1] ?? 0);
  await mkdir(folder, { recursive: true });
  await requireDiskRoom(folder, bytes, 'its files');
}

/** A path and a branch. */
interface Place {
  readonly path: string;
  readonly branch: string;
}

/**
 * The place for the worktree: that of an earlier call, else the requested one if it is free, else one with a suffix. A
 * branch that muster made when the agent was here before is used again; its tip stays under a reference.
 */
async function freePlace(at: GitDirectory, order: LandingOptions, reason: string): Promise<Place> {
  const { agentId, work } = order;
  const suffix = moveSuffix(order.moveId);
  const entries = await worktreeEntries(at.commonDir);
  const wanted = { path: await resolveExistingPath(order.path), branch: order.branch };
  const other = { path: `${wanted.path}-${suffix}`, branch: `${wanted.branch}-${suffix}` };
  const own = entries.find(({ lockReason }) => lockReason === reason);
  const place =
    own === undefined ? ((await isFree(at, wanted)) ? wanted : other) : own.path === other.path ? other : wanted;
  // An earlier call may have turned it to another branch.
  if (own !== undefined) {
    await changeReferences({ ...at, gitDir: own.adminDir }, ['symbolic-ref', 'HEAD', `refs/heads/${place.branch}`]);
    return place;
  }
  const tip = await branchTip(at, place.branch);
  if (tip !== undefined && tip !== work.headSha) {
    await writeLastingRef(at, `refs/muster/kept/${agentId}-${tip.slice(0, 12)}`, tip, 'anything');
    await writeRef(at, `refs/heads/${place.branch}`, work.headSha, { sha: tip });
  }
  return place;
}

/** Whether a path is free, and no other worktree has the branch. */
async function isFree(at: GitDirectory, { path, branch }: Place): Promise<boolean> {
  const isThere = (await lstat(path).catch(() => undefined)) !== undefined;
  const { base, tip } = await branchState(at, branch);
  const isOwn = tip === undefined || base !== undefined;
  return !isThere && isOwn && !(await headBranches(at)).includes(branch);
}

async function headBranches(at: GitDirectory): Promise<(string | undefined)[]> {
  const entries = await worktreeEntries(at.commonDir);
  return [await branchOf(at.commonDir), ...entries.map((entry) => entry.branch)];
}

async function stage(at: CheckoutFolder, tree: string): Promise<void> {
  await using shadow = await openShadow(at, { headSha: undefined, index: 'checkout', objects: 'keep' });
  await shadow.git(['read-tree', lineOf(await shadow.git(['rev-parse', '--verify', `${tree}^{tree}`]))]);
}

/** Sets the worktree's HEAD as on the other host: to the branch if it is free here, else to the commit. */
async function turnTo(at: GitDirectory, worktree: CheckoutFolder, made: string, work: CarriedWork): Promise<void> {
  const { headBranch, headSha, branchSha } = work;
  if (branchSha !== undefined && branchSha !== headSha) await writeRef(at, `refs/heads/${made}`, branchSha, 'anything');
  const tip = headBranch === undefined ? undefined : await commitOf(at, `refs/heads/${headBranch}`);
  const mayTake = headBranch !== undefined && isBranchName(headBranch) && (tip === undefined || tip === headSha);
  if (mayTake && !(await headBranches(at)).includes(headBranch)) {
    await writeRef(at, `refs/heads/${headBranch}`, headSha, 'anything');
    await changeReferences(worktree, ['symbolic-ref', 'HEAD', `refs/heads/${headBranch}`]);
    return;
  }
  await changeReferences(worktree, ['update-ref', '--no-deref', 'HEAD', headSha]);
}
