import { defineEntity, p } from '@mikro-orm/sqlite';
import { AgentEntity } from './agent-entity.ts';
import type { Row } from './row.ts';

/** A token that says who calls, stored only as its SHA-256. Without an agent it is the person's. */
export const CredentialEntity = defineEntity({
  name: 'Credential',
  tableName: 'credential',
  properties: {
    /** SHA-256 of the token, in hex. */
    hash: p.string().primary(),
    agent: () =>
      p.manyToOne(AgentEntity).mapToPk().nullable().name('agent_id').deleteRule('no action').updateRule('no action'),
    /** Which of the agent's tokens it is: the token is derived from it. */
    generation: p.integer(),
    createdAt: p.bigint('number'),
  },
  indexes: [{ name: 'credential_by_agent', properties: ['agent'] }],
});
export type StoredCredential = Row<typeof CredentialEntity>;
