/** An SQL statement with its parameters. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The result of a statement; the numbers are set only if it returns no rows. */
export interface StatementResult {
  readonly rows: Row[];
  readonly insertId?: bigint;
  readonly numAffectedRows?: bigint;
}

type Row = Record<string, unknown>;
