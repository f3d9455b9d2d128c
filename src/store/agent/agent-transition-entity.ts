import { defineEntity, p } from '@mikro-orm/sql';
import type { AgentState } from '#contract/agent/agent-state.ts';
import type { ScreenTail } from '#contract/pane/sighting.ts';
import type { Row } from '#store/kernel/row.ts';

/** A transition of an agent's state, with what its pane showed then. Only the last ones of each agent are kept. */
export const AgentTransitionEntity = defineEntity({
  name: 'Move',
  tableName: 'move',
  properties: {
    agent: p.string().name('agent_id').primary(),
    /** Counts the agent's transitions, from one. */
    ordinal: p.integer().primary(),
    /** Milliseconds since 1970. */
    at: p.bigint('number'),
    fromState: p.string().$type<AgentState>(),
    toState: p.string().$type<AgentState>(),
    reason: p.text(),
    // The reading of the pane; null if no pane caused the transition.
    harness: p.string().nullable(),
    /** The version of the rules that read the pane. */
    rules: p.string().nullable(),
    rule: p.string().nullable(),
    evidence: p.json<readonly string[]>().nullable(),
    /** It may be long, so it is read only on request. */
    screen: p.json<ScreenTail>().nullable().lazy(),
  },
});
/** A transition as stored; with its screen if that was requested. */
export type StoredAgentTransition = Omit<Row<typeof AgentTransitionEntity>, 'screen'> &
  Partial<Pick<Row<typeof AgentTransitionEntity>, 'screen'>>;
