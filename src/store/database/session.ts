import type { EntityManager } from '@mikro-orm/sql';
import type { Statement, StatementResult } from './statement.ts';

/** An open transaction. */
export interface Session {
  /** Runs a statement whose placeholders are question marks, and whose parameters come from `storedValue`. */
  run(statement: Statement): Promise<StatementResult>;
}

/**
 * Runs a statement in the transaction of an entity manager, bypassing what the entity manager does for each statement.
 */
export async function runIn(em: EntityManager, sql: string, parameters: readonly unknown[]): Promise<StatementResult> {
  const session = em.getTransactionContext<Session>();
  if (session !== undefined) return session.run({ sql, parameters });
  return { rows: await em.execute<StatementResult['rows']>(sql, parameters) };
}
