/** One statement, as it is handed to an engine. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** What a statement gave; the numbers only if it gives no rows. */
export interface StatementResult {
  readonly rows: Row[];
  readonly insertId?: bigint;
  readonly numAffectedRows?: bigint;
}

type Row = Record<string, unknown>;
