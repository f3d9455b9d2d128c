import type { AgentState } from '#contract/agent-state.ts';
import type { Standing, StoredAgent } from './agent-entity.ts';

/** A machine's persisted snapshot. */
export interface Snapshot {
  readonly value: unknown;
  readonly context: unknown;
}

/** What an agent's snapshot says of its row. */
export interface SnapshotView {
  readonly name: string;
  readonly state: AgentState;
  readonly stateReason: string;
  readonly alive: boolean;
  readonly archived: boolean;
  readonly gone: boolean;
  readonly paneId: string | undefined;
  /** The worktree's path where one was provisioned. */
  readonly worktreePath: string | undefined;
  readonly worktreeRemoved: boolean;
  readonly branch: string | undefined;
  readonly headSha: string | undefined;
  readonly repositoryUrl: string | undefined;
  readonly sequenceInProgress: boolean;
}

/** Reads a view off a snapshot. */
export type ViewOf = (snapshot: Snapshot) => SnapshotView;

/** The columns that a snapshot decides, all of which people see. */
type Columns = Pick<
  StoredAgent,
  | 'name'
  | 'standing'
  | 'state'
  | 'stateReason'
  | 'alive'
  | 'paneId'
  | 'cwd'
  | 'branch'
  | 'headSha'
  | 'repositoryUrl'
  | 'sequenceInProgress'
  | 'worktreeRemoved'
>;

/** The columns that a view gives, `startedIn` being the directory that the agent was launched into. */
export function columnsOf(view: SnapshotView, startedIn: string): Columns {
  return {
    name: view.name,
    standing: standingOf(view),
    state: view.state,
    stateReason: view.stateReason,
    alive: view.alive,
    paneId: view.paneId ?? null,
    cwd: view.worktreePath ?? startedIn,
    branch: view.branch ?? null,
    headSha: view.headSha ?? null,
    repositoryUrl: view.repositoryUrl ?? null,
    sequenceInProgress: view.sequenceInProgress,
    worktreeRemoved: view.worktreeRemoved,
  };
}

function standingOf({ gone, archived }: SnapshotView): Standing {
  if (gone) return 'gone';
  return archived ? 'archived' : 'present';
}

/** Whether a person would see a difference between two rows. */
export function isSeen(before: Columns, after: Columns): boolean {
  return (Object.keys(after) as (keyof Columns)[]).some((column) => before[column] !== after[column]);
}

/** The times that move with the columns. */
export function timesOf(before: StoredAgent, after: Columns, now: number) {
  return {
    updatedAt: isSeen(before, after) ? now : before.updatedAt,
    stateChangedAt: before.state === after.state ? before.stateChangedAt : now,
    archivedAt: after.standing === 'present' ? null : (before.archivedAt ?? now),
  };
}
