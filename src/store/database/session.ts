import type { EntityManager } from '@mikro-orm/sql';
import type { Statement, StatementResult } from './statement.ts';

/** A transaction that is under way, as an engine runs statements in it. */
export interface Session {
  /** Runs a statement whose places are question marks, and whose parameters are as `storedValue` gives them. */
  run(statement: Statement): Promise<StatementResult>;
}

/** Runs a statement in the transaction of an entity manager, past all that the entity manager does for each. */
export async function runIn(em: EntityManager, sql: string, parameters: readonly unknown[]): Promise<StatementResult> {
  const session = em.getTransactionContext<Session>();
  if (session !== undefined) return session.run({ sql, parameters });
  return { rows: await em.execute<StatementResult['rows']>(sql, parameters) };
}
