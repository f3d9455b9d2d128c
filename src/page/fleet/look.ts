import { type AgentKind, kindOf, kindOfState, rankOf } from '#contract/agent/attention.ts';
import { enumName } from '#page/api/enum-name.ts';
import { type Agent, AgentState, AgentStateSchema } from '#page/client/agent/v1/agent_pb.js';

/** How an agent is shown: what it does, or why it does nothing. */
export type LookKind = AgentKind;

export interface Look {
  readonly kind: LookKind;
  readonly word: string;
}

const words: Readonly<Record<LookKind, string>> = {
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

/** How an agent is shown. A state that only a newer service knows is shown as one that nothing is known of. */
export function lookOf(agent: Agent): Look {
  const look = lookAs(kindOf(attentionOf(agent)), agent.state);
  return look.kind === 'ended' && agent.windowLost ? { ...look, word: 'Window lost' } : look;
}

/** How a state is shown that an agent was in. */
export function lookOfState(state: AgentState): Look {
  return lookAs(kindOfState(enumName(AgentStateSchema, state)), state);
}

function lookAs(kind: LookKind, state: AgentState): Look {
  return { kind, word: (kind === 'failed' && failures[state]) || words[kind] };
}

/** Place of an agent in a list: what needs a person comes first. */
export function placeOf(agent: Agent): number {
  return rankOf(attentionOf(agent));
}

function attentionOf({ state, alive, archivedAt, lastKnownAt }: Agent) {
  return { state: enumName(AgentStateSchema, state), alive, archivedAt, lastKnownAt };
}
