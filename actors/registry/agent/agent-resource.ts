import type { Agent, AgentFault, DiffSize } from '#contract/agent/agent.ts';
import type { OverBudget, ViewedEnding, ViewedFault, ViewedPark } from '#contract/agent/agent-view.ts';
import type { AgentEnding, AgentEndingKind } from '#contract/agent/ending.ts';
import type { Park, ParkReason } from '#contract/agent/park.ts';
import type { BudgetMeasure, SpentBudget } from '#contract/budget/budget.ts';
import { isolationBy } from '#contract/host/isolation.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import { isBeingDeleted } from './agent-standing.ts';

/** Formats a stored time: RFC 3339 in UTC with milliseconds. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** An agent as clients see it: with the full briefing if one is given, otherwise with its first characters. */
export function agentOf(stored: StoredAgent, briefing: string | undefined): Agent {
  return {
    id: stored.id,
    name: stored.name,
    cwd: stored.cwd,
    flags: stored.launch.flags,
    prompt: briefing ?? stored.opening,
    promptTruncated: briefing === undefined && stored.openingCut,
    task: stored.task || undefined,
    paneId: stored.paneId ?? undefined,
    state: stored.state,
    stateReason: stored.stateReason,
    waitingFor: stored.waitingFor,
    sessionId: stored.sessionId ?? undefined,
    reportedReason: stored.reportedReason,
    harness: stored.launch.harness,
    asksUnseen: stored.asksUnseen || undefined,
    harnessVersion: stored.harnessVersion ?? undefined,
    workflowId: stored.workflowId,
    role: stored.role,
    hostId: stored.queued ? undefined : stored.host,
    queued: stored.queued || undefined,
    createdAt: timeOf(stored.createdAt),
    stateChangedAt: timeOf(stored.stateChangedAt),
    archivedAt: stored.archivedAt == null ? undefined : timeOf(stored.archivedAt),
    scheduleId: stored.scheduleId ?? undefined,
    spawnedByAgentId: stored.spawnedByAgentId ?? undefined,
    parentAgentId: stored.parentAgentId ?? undefined,
    idempotencyKey: stored.idempotencyKey ?? undefined,
    ...toLiveness(stored),
    branch: stored.branch ?? undefined,
    headSha: stored.headSha ?? undefined,
    repositoryUrl: stored.repositoryUrl ?? undefined,
    sequenceInProgress: stored.sequenceInProgress,
    worktreeRemoved: stored.worktreeRemoved,
    diff: stored.filesChanged === 0 ? undefined : diffOf(stored),
    heldAt: stored.heldAt == null ? undefined : timeOf(stored.heldAt),
    metadata: stored.metadata.map(({ key, value, at }) => ({ key, value, recordedAt: timeOf(at) })),
    failedRun: stored.failedRunLog != null,
    failedRunLog: stored.failedRunLog ?? undefined,
    treeStanding: stored.treeStanding ?? undefined,
    treeStandingSha: stored.treeStandingSha ?? undefined,
    movedSinceRound: stored.movedSinceRound ?? undefined,
    deleting: isBeingDeleted(stored) || undefined,
    refusedDeletion: stored.refusedDeletion || undefined,
    endedAt: stored.endedAt == null ? undefined : timeOf(stored.endedAt),
    windowLost: stored.windowLost || undefined,
    ending: stored.ending == null ? undefined : endingOf(stored.ending),
    resultAt: stored.resultAt == null ? undefined : timeOf(stored.resultAt),
    turns: stored.turns ?? undefined,
    diskBytes: stored.diskBytes == null ? undefined : String(stored.diskBytes),
    diskMeasuredAt: stored.diskMeasuredAt == null ? undefined : timeOf(stored.diskMeasuredAt),
    movingTo: stored.movingTo ?? undefined,
    failedMove: stored.failedMove || undefined,
    overBudget: stored.overBudget == null ? undefined : spentOf(stored.overBudget),
    park: stored.park == null ? undefined : parkOf(stored.park),
    fault: stored.fault == null ? undefined : faultOf(stored.fault),
    refusedConnections: [...stored.refusedConnections],
    isolation: isolationBy(stored.launch.isolation),
    failedRunFault: stored.failedRunFault == null ? undefined : faultOf(stored.failedRunFault),
  };
}

const measures: Readonly<Record<OverBudget['measure'] | 'launches', BudgetMeasure>> = {
  turns: 'BUDGET_MEASURE_TURNS',
  work: 'BUDGET_MEASURE_WORK',
  launches: 'BUDGET_MEASURE_LAUNCHES',
};

/** A budget that is used up, as a message of the contract. */
export function spentOf({ ownerId, ownerName, measure, used, limit, at }: OverBudget): SpentBudget {
  return { ownerId, ownerName, measure: measureOf(measure), used, limit, since: timeOf(at) };
}

/** A measure as the contract names it. */
export function measureOf(measure: keyof typeof measures): BudgetMeasure {
  return measures[measure];
}

const endings: Readonly<Record<ViewedEnding['kind'], AgentEndingKind>> = {
  exited: 'AGENT_ENDING_KIND_EXITED',
  killed: 'AGENT_ENDING_KIND_KILLED',
  shell: 'AGENT_ENDING_KIND_SHELL',
  'window-closed': 'AGENT_ENDING_KIND_WINDOW_CLOSED',
  'terminal-lost': 'AGENT_ENDING_KIND_TERMINAL_LOST',
  rebooted: 'AGENT_ENDING_KIND_REBOOTED',
  limit: 'AGENT_ENDING_KIND_LIMIT',
};

/** How an agent’s CLI ended, as a message of the contract. */
export function endingOf({ kind, status, signal, exceeded }: ViewedEnding): AgentEnding {
  return {
    kind: endings[kind],
    ...(status && { exitStatus: status }),
    ...(signal && { signal }),
    ...(exceeded && { exceeded }),
  };
}

const parkReasons: Readonly<Record<ViewedPark['reason'], ParkReason>> = {
  usage: 'PARK_REASON_USAGE_LIMIT',
  credential: 'PARK_REASON_CREDENTIAL',
  person: 'PARK_REASON_PERSON',
};

function parkOf({ reason, since, until, account, resume, shownUntil, endUnknown }: ViewedPark): Park {
  return {
    reason: parkReasons[reason],
    since: timeOf(since),
    until: until === undefined ? undefined : timeOf(until),
    account,
    resume,
    shownUntil: shownUntil === undefined ? undefined : timeOf(shownUntil),
    endUnknown,
  };
}

function faultOf({ summary, line, output }: ViewedFault): AgentFault {
  return { summary, errorLine: line || undefined, output: output || undefined };
}

function diffOf({ filesChanged, linesAdded, linesDeleted }: StoredAgent): DiffSize {
  return { filesChanged, additions: linesAdded, deletions: linesDeleted };
}

type Liveness = Pick<Agent, 'alive' | 'lastKnownAt' | 'hostRemovedAt'>;

/** Whether its pane exists. Unknown while its host is lost. */
function toLiveness({ alive, lastKnownAt, hostRemovedAt, state }: StoredAgent): Liveness {
  const removed = hostRemovedAt == null ? {} : { hostRemovedAt: timeOf(hostRemovedAt) };
  if (lastKnownAt == null || !(alive || state === 'AGENT_STATE_SETTING_UP')) return { alive, ...removed };
  return { ...(!alive && { alive }), lastKnownAt: timeOf(lastKnownAt), ...removed };
}
