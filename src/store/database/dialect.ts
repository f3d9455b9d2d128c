/** How a database spells the column types that databases spell differently. */
export interface ColumnTypes {
  /** In the order of its bytes, whatever the language of the database. */
  readonly text: string;
  readonly boolean: string;
  /** A key that the database counts up and never gives out again. */
  readonly serial: string;
}

/** A column of rows that are written at once. */
export interface WrittenColumn {
  /** As it stands in SQL. */
  readonly name: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'json';
}

/** What databases spell differently. */
export interface Dialect {
  readonly types: ColumnTypes;
  /** Whether a database of it may hold rows from before muster ran on more than one dialect, which migrations brought up. */
  readonly hasOldRows: boolean;
  /** Whether values of JSON columns come parsed. */
  readonly parsesJson: boolean;
  /** Whether a column's value is amongst some, or amongst none of them, in a text that does not depend on how many there are. */
  amongst(field: string, values: readonly (string | number | bigint | boolean | null)[], is: boolean): RowSource;
  /** Whether several processes write at once, so that places in the logs are not given out in the order of the commits. */
  readonly isShared: boolean;
  /** What a query ends with whose rows are claimed: those that another piece of work is claiming are passed over. */
  readonly claiming: string;
  /** A query that gives rows back which are handed over as its parameters, in their order. */
  rowsOf(columns: readonly WrittenColumn[], rows: readonly (readonly unknown[])[]): RowSource;
}

/** A query or a condition with its parameters. */
export interface RowSource {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}
