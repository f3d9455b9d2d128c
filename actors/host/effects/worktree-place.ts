import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { ownBranches } from '#actors/host/isolation/sandbox-spec.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import { copyable, unchangedCopies } from '#world/file/copy-files.ts';
import { branchName } from '#world/git/repository/branch-name.ts';
import { findGitDirectory, type GitDirectory } from '#world/git/repository/git-directory.ts';
import type { WorktreeQuestion } from '#world/git/worktree/worktree-inspection.ts';

/** The path and branch of an agent's worktree. Both depend only on the record, so that a repeat finds them again. */
export interface WorktreePlace {
  readonly path: string;
  readonly branch: string;
  /** One line that names the owner in git's own list of worktrees. */
  readonly reason: string;
}

/** The place for an agent's worktree of the repository with this common directory. */
export function worktreePlace(record: AgentRecord, worktrees: string, commonDir: string): WorktreePlace {
  const id = record.id.slice(-8).toLowerCase();
  const plain = branchName(readAgentContext(record.snapshot).firstName, id);
  const slug = plain.slice('muster/'.length);
  // An isolated agent may write all branches with its own prefix, and no others.
  const branch = record.launch.isolation === undefined ? plain : `${ownBranches(record)}/${slug}`;
  const repository = basename(commonDir) === '.git' ? dirname(commonDir) : commonDir;
  const hash = createHash('sha256').update(commonDir).digest('hex').slice(0, 8);
  const folder = `${basename(repository).replace(/[^A-Za-z0-9._-]+/g, '-')}-${hash}`;
  return { path: join(worktrees, folder, slug), branch, reason: `muster ${record.id}` };
}

/**
 * The agent's worktree, also if a launch was interrupted before it was recorded; undefined if none can exist.
 * `copied` lists only the copied files that have not changed since: a changed one is the agent's work.
 */
export async function removableWorktree(record: AgentRecord, worktrees: string): Promise<WorktreeQuestion | undefined> {
  const { worktree } = readAgentContext(record.snapshot);
  const { cwd, baseBranch, withChanges } = record.launch;
  const source = await findGitDirectory(cwd);
  const found = worktree ?? (source && (await unrecorded(record, worktrees, source)));
  if (!found) return undefined;
  const { path, copied: paths } = found;
  const copied = source?.workTree ? await unchangedCopies({ from: source.workTree, to: path, paths }) : [];
  const original = withChanges ? source?.workTree : undefined;
  return { ...found, copied, original, ...(baseBranch ? { base: baseBranch } : {}) };
}

/** The worktree that an interrupted launch may have made without recording it. */
async function unrecorded(
  record: AgentRecord,
  worktrees: string,
  { commonDir, workTree }: GitDirectory,
): Promise<WorktreeQuestion & { copied: string[] }> {
  const { path, branch, reason: unfinished } = worktreePlace(record, worktrees, commonDir);
  const copied = workTree === undefined ? [] : await copyable(workTree, record.launch.copyFiles);
  return { repository: commonDir, path, branch, unfinished, copied };
}
