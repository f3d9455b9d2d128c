import type { AgentView, StoredSnapshot, ViewedPark } from '#contract/agent/agent-view.ts';
import type { AgentPresence, StoredAgent } from './agent-entity.ts';

/** Derives a view from a snapshot. */
export type ViewOf = (snapshot: StoredSnapshot) => AgentView;

/** The columns that are derived from a snapshot. People see all of them. */
export type Columns = Pick<
  StoredAgent,
  | 'name'
  | 'standing'
  | 'abandoned'
  | 'state'
  | 'stateReason'
  | 'waitingFor'
  | 'alive'
  | 'queued'
  | 'paneId'
  | 'cwd'
  | 'branch'
  | 'headSha'
  | 'repositoryUrl'
  | 'sequenceInProgress'
  | 'filesChanged'
  | 'linesAdded'
  | 'linesDeleted'
  | 'worktreeRemoved'
  | 'reportedReason'
  | 'asksUnseen'
  | 'sessionId'
  | 'harnessVersion'
  | 'refusedConnections'
  | 'heldAt'
  | 'refusedDeletion'
  | 'fault'
  | 'endedAt'
  | 'windowLost'
  | 'ending'
  | 'turns'
  | 'overBudget'
  | 'movingTo'
  | 'failedMove'
  | 'park'
>;

/** The columns for a view. `startedIn` is the directory into which the agent was launched. */
export function columnsOf(view: AgentView, startedIn: string): Columns {
  return {
    name: view.name,
    standing: standingOf(view),
    abandoned: view.abandoned,
    state: view.state,
    stateReason: view.stateReason,
    waitingFor: view.waitingFor,
    alive: view.alive,
    queued: view.queued,
    paneId: view.paneId ?? null,
    cwd: view.worktreePath ?? startedIn,
    branch: view.branch ?? null,
    headSha: view.headSha ?? null,
    repositoryUrl: view.repositoryUrl ?? null,
    sequenceInProgress: view.sequenceInProgress,
    filesChanged: view.diff?.files ?? 0,
    linesAdded: view.diff?.additions ?? 0,
    linesDeleted: view.diff?.deletions ?? 0,
    worktreeRemoved: view.worktreeRemoved,
    reportedReason: view.reportedReason,
    asksUnseen: view.asksUnseen,
    sessionId: view.sessionId ?? null,
    harnessVersion: view.harnessVersion ?? null,
    refusedConnections: view.refusedConnections,
    heldAt: view.heldAt ?? null,
    refusedDeletion: view.refusedDeletion,
    fault: view.fault ?? null,
    endedAt: view.endedAt ?? null,
    windowLost: view.windowLost,
    ending: view.ending ?? null,
    turns: view.turns ?? null,
    overBudget: view.overBudget ?? null,
    movingTo: view.movingTo ?? null,
    failedMove: view.failedMove,
    park: view.park === undefined ? null : seenPark(view.park),
  };
}

/** What people see of a parking. */
function seenPark({ reason, since, until, account, resume, shownUntil, endUnknown }: ViewedPark): ViewedPark {
  return {
    reason,
    since,
    ...(until !== undefined && { until }),
    ...(account !== undefined && { account }),
    resume,
    ...(shownUntil !== undefined && { shownUntil }),
    ...(endUnknown && { endUnknown }),
  };
}

function standingOf({ gone, archived }: AgentView): AgentPresence {
  if (gone) return 'gone';
  return archived ? 'archived' : 'present';
}

/** Whether a person would see a difference between two rows. */
export function isSeen(before: Columns, after: Columns): boolean {
  return (Object.keys(after) as (keyof Columns)[]).some(
    (column) => JSON.stringify(before[column] ?? null) !== JSON.stringify(after[column] ?? null),
  );
}

/** The times that change with the columns. */
export function timesOf(before: StoredAgent, after: Columns, now: number) {
  return {
    updatedAt: isSeen(before, after) ? now : before.updatedAt,
    stateChangedAt: before.state === after.state ? before.stateChangedAt : now,
    archivedAt: after.standing === 'present' ? null : (before.archivedAt ?? now),
    goneAt: after.standing === 'gone' ? (before.goneAt ?? now) : null,
  };
}
