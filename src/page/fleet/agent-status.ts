import { type AgentKind, kindOf, kindOfState, rankOf } from '#contract/agent/attention.ts';
import { enumName } from '#page/api/enum-name.ts';
import { type Agent, AgentState, AgentStateSchema } from '#page/client/agent/v1/agent_pb.js';

/** The activity of an agent, or the reason for its inactivity. */
export type StatusKind = AgentKind;

export interface AgentStatus {
  readonly kind: StatusKind;
  readonly word: string;
}

const words: Readonly<Record<StatusKind, string>> = {
  waiting: 'Waiting',
  failed: 'Failed',
  uncertain: 'Uncertain',
  idle: 'Idle',
  thinking: 'Thinking',
  'setting-up': 'Setting up',
  ended: 'Ended',
  archived: 'Archived',
};
const failures: Readonly<Partial<Record<AgentState, string>>> = {
  [AgentState.FAILED_TO_CREATE]: 'Launch failed',
  [AgentState.FAILED_TO_CLEANUP]: 'Clean-up failed',
};

/** The status of an agent. A state that only a newer service knows shows as uncertain. */
export function statusOf(agent: Agent): AgentStatus {
  const status = toStatus(kindOf(attentionOf(agent)), agent.state);
  if (agent.queued) return { ...status, word: 'Queued' };
  return status.kind === 'ended' && agent.windowLost ? { ...status, word: 'Window lost' } : status;
}

/** The status of an agent in a past state. */
export function statusOfState(state: AgentState): AgentStatus {
  return toStatus(kindOfState(enumName(AgentStateSchema, state)), state);
}

function toStatus(kind: StatusKind, state: AgentState): AgentStatus {
  return { kind, word: (kind === 'failed' && failures[state]) || words[kind] };
}

/** The rank of an agent in a list: those that need a person come first. */
export function placeOf(agent: Agent): number {
  return rankOf(attentionOf(agent));
}

function attentionOf({ state, alive, archivedAt, lastKnownAt, overBudget }: Agent) {
  return { state: enumName(AgentStateSchema, state), alive, archivedAt, lastKnownAt, overBudget };
}
