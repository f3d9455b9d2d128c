import type { z } from 'zod';
import { removableWorktree } from '#actors/host/effects/worktree-place.ts';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { roomCalls } from '#contract/wire/room-calls.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import { phaseOf, viewOf } from '#machines/agent/agent-view.ts';
import { isDirectory } from '#world/file/directory.ts';
import { findGitDirectory } from '#world/git/repository/git-directory.ts';
import { findBuildFolders, removeBuildFolders } from '#world/git/worktree/build-folders.ts';
import { movedAside } from '#world/git/worktree/moved-aside.ts';
import {
  inspectWorktree,
  reasonsAgainstRemoval,
  type WorktreeQuestion,
} from '#world/git/worktree/worktree-inspection.ts';
import { removeWorktree } from '#world/git/worktree/worktree-removal.ts';
import { worktreeSize } from '#world/process/worktree-size.ts';

export interface RoomRequestsOptions {
  /** The agent's record at the registry. */
  readonly recordOf: (agentId: string) => Promise<AgentRecord>;
  readonly worktrees: string;
}

type RequestOf<K extends keyof typeof roomCalls> = z.output<(typeof roomCalls)[K]['request']>;
type Answer<K extends keyof typeof roomCalls> = z.input<(typeof roomCalls)[K]['response']>;

/** How long measuring one worktree, and all of a request, may take, in milliseconds. */
const [oneWithinMs, allWithinMs] = [60_000, 90_000];

/** Answers the registry's requests about the disk of this host's worktrees. */
export class RoomRequests {
  readonly #options: RoomRequestsOptions;

  constructor(options: RoomRequestsOptions) {
    this.#options = options;
  }

  /** Measures worktrees one after another, so that a host with many is not kept busy. */
  async measure({ agentIds }: RequestOf<'measureRoom'>): Promise<Answer<'measureRoom'>> {
    const until = performance.now() + allWithinMs;
    const worktrees: { agentId: string; bytes: number }[] = [];
    for (const agentId of agentIds) {
      const left = until - performance.now();
      if (left <= 0) break;
      const { worktree } = readAgentContext((await this.#options.recordOf(agentId)).snapshot);
      if (worktree === undefined) continue;
      const isThere = await isDirectory(worktree.path);
      const bytes = isThere ? await worktreeSize(worktree.path, Math.min(left, oneWithinMs)) : 0;
      if (bytes !== undefined) worktrees.push({ agentId, bytes });
    }
    return { worktrees };
  }

  /** Deletes of an archived agent what the request allows, or only says what could be deleted. */
  async clean({ agentId, buildFolders, remove }: RequestOf<'cleanAgent'>): Promise<Answer<'cleanAgent'>> {
    const record = await this.#archived(agentId);
    const question = await this.#question(record, buildFolders);
    if (question === undefined) return nothingThere;
    const { path } = question;
    const confirm = async (): Promise<void> => void (await this.#archived(agentId));
    if (!(await isDirectory(path))) return remove === 'worktree' ? finished(question, agentId, confirm) : nothingThere;
    const folders =
      remove === 'nothing'
        ? await findBuildFolders(path, buildFolders).then(({ removable, kept }) => ({ removed: removable, kept }))
        : await removeBuildFolders(path, buildFolders, confirm);
    const kept = folders.kept.map(({ path: folder, why }) => `${folder}: ${why}`);
    // What only could be removed is still there, and is listed on its own.
    const listed = remove === 'nothing' ? folders.removed.reduce((sum, folder) => sum + folder.bytes, 0) : 0;
    const bytes = Math.max(0, ((await worktreeSize(path, oneWithinMs)) ?? 0) - listed);
    // What is kept of a worktree would be deleted with it.
    const staying = folders.kept.map(({ path: folder }) => `its build folder ${folder} stays`);
    const isTaken = remove === 'worktree' && staying.length === 0;
    const against = isTaken
      ? await taken(question, agentId, confirm)
      : [...staying, ...(await reasonsAgainst(question))];
    const isThere = remove !== 'worktree' || against.length > 0;
    return {
      isThere,
      buildFolders: [...folders.removed],
      ...(against.length === 0 && { worktree: { path, bytes } }),
      kept: [...(isThere ? kept : []), ...against.map((why) => `the worktree ${path}: ${why}`)].slice(0, 1_000),
    };
  }

  /** @throws WRONG_AGENT_STATE when the agent is not archived, or no longer */
  async #archived(agentId: string): Promise<AgentRecord> {
    const record = await this.#options.recordOf(agentId);
    // While it is being archived, its CLI may still run.
    if (phaseOf(record.snapshot.value) === 'archived') return record;
    throw new Failure('WRONG_AGENT_STATE', `agent ${agentId} is not archived any more: nothing further was deleted`, {
      metadata: { agentId, state: viewOf(record.snapshot).state, phase: phaseOf(record.snapshot.value) },
    });
  }

  /** The agent's own worktree, if it had one. */
  async #question(record: AgentRecord, buildFolders: readonly string[]): Promise<WorktreeQuestion | undefined> {
    if (readAgentContext(record.snapshot).worktree === undefined) return undefined;
    const question = await removableWorktree(record, this.#options.worktrees);
    return question && { ...question, buildFolders };
  }
}

const nothingThere: Answer<'cleanAgent'> = { isThere: false, buildFolders: [], kept: [] };

/** Finishes an interrupted removal of a worktree: deletes what it moved aside. */
async function finished(
  question: WorktreeQuestion,
  agentId: string,
  confirm: () => Promise<void>,
): Promise<Answer<'cleanAgent'>> {
  const left = await movedAside(question.path);
  const bytes = await Promise.all(left.map((path) => worktreeSize(path, oneWithinMs)));
  const against = await taken(question, agentId, confirm);
  const kept = against.map((why) => `what is left of the worktree ${question.path}: ${why}`);
  if (kept.length > 0) return { ...nothingThere, kept };
  return { ...nothingThere, buildFolders: left.map((path, at) => ({ path, bytes: bytes[at] ?? 0 })) };
}

async function taken(
  question: WorktreeQuestion,
  agentId: string,
  confirm: () => Promise<void>,
): Promise<readonly string[]> {
  if ((await findGitDirectory(question.repository)) === undefined)
    return [`its repository ${question.repository} is gone`];
  const removal = await removeWorktree({ ...question, agentId, force: false, keep: true, confirm });
  return removal.removed ? [] : removal.reasons;
}

/** What speaks against removing a worktree. */
async function reasonsAgainst(question: WorktreeQuestion): Promise<readonly string[]> {
  if ((await findGitDirectory(question.repository)) === undefined)
    return [`its repository ${question.repository} is gone`];
  try {
    const found = await inspectWorktree(question);
    if (found.state === 'foreign') return [found.why];
    return found.state === 'present' ? reasonsAgainstRemoval(found.facts) : [];
  } catch (error) {
    return [`it could not be read: ${error instanceof Error ? error.message : String(error)}`];
  }
}
