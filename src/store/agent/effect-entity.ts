import { defineEntity, p } from '@mikro-orm/sql';
import { AgentEntity } from './agent-entity.ts';

/** An effect that a committed decision requested and that is not done yet. */
export const EffectEntity = defineEntity({
  name: 'Effect',
  tableName: 'effect',
  properties: {
    /** The agent, the version of the decision, and the index in it. */
    key: p.string().primary(),
    agent: () =>
      p.manyToOne(AgentEntity).mapToPk().name('agent_id').deleteRule('no action').updateRule('no action').index(false),
    version: p.integer(),
    place: p.integer(),
    kind: p.string(),
    params: p.json<Record<string, unknown>>(),
    /** The span that caused it, as W3C's traceparent, if traces are collected. */
    trace: p.string().nullable(),
  },
  indexes: [{ name: 'effect_by_agent', properties: ['agent', 'version', 'place'] }],
});
