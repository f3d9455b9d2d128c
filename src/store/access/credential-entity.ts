import { defineEntity, p } from '@mikro-orm/sql';
import { AgentEntity } from '#store/agent/agent-entity.ts';
import type { Row } from '#store/kernel/row.ts';

/** The purpose of an agent's token: its window, a script of its workflow, or a person who runs its CLI by hand. */
export type TokenPurpose = 'window' | 'script' | 'issued';

/** A token that identifies a caller; only its hash is stored. Without an agent it is the person's. */
export const CredentialEntity = defineEntity({
  name: 'Credential',
  tableName: 'credential',
  properties: {
    /** The result of `storedHashOf` for what crosses the bus. */
    hash: p.string().primary(),
    agent: () =>
      p.manyToOne(AgentEntity).mapToPk().nullable().name('agent_id').deleteRule('no action').updateRule('no action'),
    purpose: p.text().$type<TokenPurpose>().default('window'),
    /** Numbers the agent's tokens: a newer one has a greater number. */
    generation: p.integer(),
    createdAt: p.bigint('number'),
  },
  indexes: [{ name: 'credential_by_agent', properties: ['agent'] }],
});
export type StoredCredential = Row<typeof CredentialEntity>;
