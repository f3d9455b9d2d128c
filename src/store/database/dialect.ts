/** A database's names for column types that differ between databases. */
export interface ColumnTypes {
  /** Text that is sorted by its bytes, regardless of the database's locale. */
  readonly text: string;
  readonly boolean: string;
  /** A key that the database increments and never reuses. */
  readonly serial: string;
}

/** A column of rows that one statement writes. */
export interface StatementColumn {
  /** Its name as quoted in SQL. */
  readonly name: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'json';
}

/** What differs between the SQL of databases. */
export interface Dialect {
  readonly types: ColumnTypes;
  /** Whether such a database may have rows that older versions wrote and migrations must upgrade. */
  readonly hasOldRows: boolean;
  /** Whether the driver parses the values of JSON columns. */
  readonly parsesJson: boolean;
  /** The parameter that a condition compares a column with. */
  readonly compared: string;
  /**
   * A condition that a column's value is in a list, or is not in it. Its text does not depend on the list's length, so
   * that it is compiled once.
   */
  inList(field: string, values: readonly (string | number | bigint | boolean | null)[], isIn: boolean): RowSource;
  /**
   * Whether several processes write at once, so that positions in the logs are not assigned in the order of commits.
   */
  readonly isShared: boolean;
  /** The end of a query that claims rows: it skips those that another transaction has locked. */
  readonly skipLocked: string;
  /** The end of a statement that returns at most this many rows. */
  limitTo(rows: bigint): RowSource;
  /** A query that returns the rows in its parameters, in their order. */
  rowsOf(columns: readonly StatementColumn[], rows: readonly (readonly unknown[])[]): RowSource;
}

/** A query or a condition with its parameters. */
export interface RowSource {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}
