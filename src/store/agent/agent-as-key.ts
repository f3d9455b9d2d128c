import { p } from '@mikro-orm/sql';
import { AgentEntity } from './agent-entity.ts';

/** The key of a row that an agent has one of at most: the agent itself. */
export const agentAsKey = () =>
  p
    .manyToOne(AgentEntity)
    .mapToPk()
    .primary()
    .name('agent_id')
    .deleteRule('no action')
    .updateRule('no action')
    .index(false);
