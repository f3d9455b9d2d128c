import type { Agent } from '#contract/agent/agent.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';

/** A time of the store as it is shown: RFC 3339 in UTC with milliseconds. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** An agent as a person sees it, with its briefing whole where one is given and else with its opening. */
export function agentOf(stored: StoredAgent, briefing: string | undefined): Agent {
  return {
    id: stored.id,
    name: stored.name,
    cwd: stored.cwd,
    flags: stored.launch.flags,
    prompt: briefing ?? stored.opening,
    promptTruncated: briefing === undefined && stored.openingCut,
    paneId: stored.paneId ?? undefined,
    state: stored.state,
    stateReason: stored.stateReason,
    waitingFor: stored.waitingFor,
    sessionId: stored.sessionId ?? undefined,
    reportedReason: stored.reportedReason,
    harness: stored.launch.harness,
    workflowId: stored.workflowId,
    role: stored.role,
    hostId: stored.host,
    createdAt: timeOf(stored.createdAt),
    stateChangedAt: timeOf(stored.stateChangedAt),
    archivedAt: stored.archivedAt == null ? undefined : timeOf(stored.archivedAt),
    scheduleId: stored.scheduleId ?? undefined,
    spawnedByAgentId: stored.spawnedByAgentId ?? undefined,
    parentAgentId: stored.parentAgentId ?? undefined,
    idempotencyKey: stored.idempotencyKey ?? undefined,
    ...lifeOf(stored),
    branch: stored.branch ?? undefined,
    headSha: stored.headSha ?? undefined,
    repositoryUrl: stored.repositoryUrl ?? undefined,
    sequenceInProgress: stored.sequenceInProgress,
    worktreeRemoved: stored.worktreeRemoved,
    heldAt: stored.heldAt == null ? undefined : timeOf(stored.heldAt),
    metadata: stored.metadata.map(({ key, value, at }) => ({ key, value, recordedAt: timeOf(at) })),
    failedRun: stored.failedRunLog != null,
    failedRunLog: stored.failedRunLog ?? undefined,
    treeStanding: stored.treeStanding ?? undefined,
    treeStandingSha: stored.treeStandingSha ?? undefined,
    movedSinceRound: stored.movedSinceRound ?? undefined,
  };
}

/** Whether its pane is there, which nobody knows while its host is lost. */
function lifeOf({ alive, lastKnownAt, state }: StoredAgent): Pick<Agent, 'alive' | 'lastKnownAt'> {
  if (lastKnownAt == null || !(alive || state === 'AGENT_STATE_SETTING_UP')) return { alive };
  return { ...(!alive && { alive }), lastKnownAt: timeOf(lastKnownAt) };
}
