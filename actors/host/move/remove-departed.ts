import { join } from 'node:path';
import { closeWindow } from '#actors/host/effects/close-pane.ts';
import { reasonOf, runWorkflowScript, type ScriptHome, scriptSubjectOf } from '#actors/host/effects/script.ts';
import { removableWorktree, worktreePlace } from '#actors/host/effects/worktree-place.ts';
import type { Isolation } from '#actors/host/isolation/isolation.ts';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { Departure } from '#contract/wire/departure.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import type { Worktree } from '#machines/agent/worktree.ts';
import { moveAside } from '#world/file/package/move-aside.ts';
import type { PackageFolder } from '#world/file/package/package-folder.ts';
import { dropCarried } from '#world/git/move/bundle-work.ts';
import { landedAt } from '#world/git/move/land-work.ts';
import { findGitDirectory, type GitDirectory } from '#world/git/repository/git-directory.ts';
import { dropKeptBranch, keptUnder } from '#world/git/worktree/kept-snapshot.ts';
import { inspectWorktree, type WorktreeQuestion } from '#world/git/worktree/worktree-inspection.ts';
import { removeWorktree } from '#world/git/worktree/worktree-removal.ts';
import type { Terminals } from '#world/terminal/terminal.ts';

export interface RemovalScope extends ScriptHome {
  readonly isolation: Pick<Isolation, 'around' | 'exceeded' | 'remove'>;
  readonly terminals: Terminals;
  readonly worktrees: string;
  readonly packages: Pick<PackageFolder, 'forget'>;
  /** The folder for ignored files of removed worktrees. */
  readonly leftovers: string;
}

/** How long a teardown script may take, in milliseconds. */
const teardownMs = 10 * 60_000;

/**
 * Closes the window of an agent that moved to another host. If all of its work has arrived there, also removes its
 * worktree and branch. A snapshot stays under a reference, and ignored files, which were not moved, are put into a
 * folder. Returns what is still on this host, one sentence each. A repeated call finishes an interrupted one.
 * @throws Failure when something cannot be removed safely
 */
export async function removeDeparted(options: RemovalScope, { id, record, remains }: Departure): Promise<string[]> {
  await closeWindow(options.terminals, record);
  const { move } = readAgentContext(record.snapshot);
  const left = remains === 'taken-away' ? await takeWorktreeAway(options, record, id) : whatStays(record);
  if (remains === 'taken-away') await options.isolation.remove(record);
  if (move !== undefined) await options.packages.forget(move.id);
  return left;
}

function whatStays({ snapshot }: AgentRecord): string[] {
  const { worktree } = readAgentContext(snapshot);
  return worktree === undefined ? [] : [`its worktree ${worktree.path}, on branch ${worktree.branch}`];
}

async function takeWorktreeAway(options: RemovalScope, record: AgentRecord, id: string): Promise<string[]> {
  const worktree = readAgentContext(record.snapshot).worktree ?? (await unrecorded(record, options.worktrees));
  if (worktree === undefined) return [];
  const at = await findGitDirectory(worktree.repository);
  if (at === undefined) return [`its worktree ${worktree.path}: the repository ${worktree.repository} is gone`];
  const snapshot = { ...record.snapshot, context: { ...readAgentContext(record.snapshot), worktree } };
  const question = (await removableWorktree({ ...record, snapshot }, options.worktrees)) ?? worktree;
  const found = await inspectWorktree(question);
  const aside = join(options.leftovers, id.replace(/[^A-Za-z0-9_-]+/g, '-'));
  const left: string[] = [];
  if (found.state === 'present') {
    await tearDown(options, record, worktree.path);
    const { ignored } = (await inspectAgain(question)) ?? found.facts;
    await moveAside(worktree.path, aside, ignored);
    if (ignored.length > 0) left.push(`ignored files: ${aside}`);
  }
  const removal = await removeWorktree({ ...question, agentId: record.id, force: true });
  if (!removal.removed) {
    throw new Failure('WORK_WOULD_BE_LOST', `${worktree.path} was not removed: ${removal.reasons.join('; ')}`);
  }
  left.push(...(await keptIn(at, record.id, worktree.branch)));
  await dropCarried(at, record.id);
  return left;
}

/** The worktree that an interrupted arrival made without recording it. */
async function unrecorded(record: AgentRecord, worktrees: string): Promise<Worktree | undefined> {
  const { move } = readAgentContext(record.snapshot);
  const at = await findGitDirectory(record.launch.cwd);
  if (at === undefined || move === undefined || !record.launch.provision) return undefined;
  const { reason } = worktreePlace(record, worktrees, at.commonDir);
  const found = await landedAt(at, reason, move.id);
  return found && { ...found, repository: at.commonDir, copied: [] };
}

async function inspectAgain(question: WorktreeQuestion) {
  const found = await inspectWorktree(question);
  return found.state === 'present' ? found.facts : undefined;
}

async function tearDown(home: ScriptHome, record: AgentRecord, cwd: string): Promise<void> {
  const command = record.launch.scripts.teardown;
  if (!command) return;
  const script = { command, cwd, env: {}, timeoutMs: teardownMs, onOutput: () => {}, isBeside: false };
  // Its output has no place to be recorded, and its failure must not keep the worktree forever.
  await runWorkflowScript(home, scriptSubjectOf(record), script).catch(reasonOf);
}

async function keptIn(at: GitDirectory, agentId: string, branch: string): Promise<string[]> {
  const ref = await keptUnder(at, agentId);
  if (ref === undefined) return [];
  await dropKeptBranch(at, agentId, branch);
  return [`a last snapshot: ${ref} in ${at.commonDir}`];
}
