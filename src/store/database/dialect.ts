/** A database's names for column types that differ between databases. */
export interface ColumnTypes {
  /** Text, sorted by its bytes, whatever the locale of the database. */
  readonly text: string;
  readonly boolean: string;
  /** A key that the database increments and never reuses. */
  readonly serial: string;
}

/** A column of rows that are written at once. */
export interface WrittenColumn {
  /** Its name as quoted in SQL. */
  readonly name: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'json';
}

/** What differs between the SQL of databases. */
export interface Dialect {
  readonly types: ColumnTypes;
  /** Whether such a database may have rows that older versions wrote and migrations must upgrade. */
  readonly hasOldRows: boolean;
  /** Whether values of JSON columns come parsed. */
  readonly parsesJson: boolean;
  /** Whether a column's value is amongst some, or amongst none of them, in a text that does not depend on how many there are. */
  amongst(field: string, values: readonly (string | number | bigint | boolean | null)[], is: boolean): RowSource;
  /**
   * Whether several processes write at once, so that places in the logs are not assigned in the order of the commits.
   */
  readonly isShared: boolean;
  /** What a query ends with whose rows are claimed: those that another piece of work is claiming are passed over. */
  readonly claiming: string;
  /** A query that returns rows passed as its parameters, in their order. */
  rowsOf(columns: readonly WrittenColumn[], rows: readonly (readonly unknown[])[]): RowSource;
}

/** A query or a condition with its parameters. */
export interface RowSource {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}
