/**
 * The end of a statement that returns at most this many rows. The number is part of the text, because SQLite compiles a
 * statement with a bound limit each time it runs, which takes ten times as long as finding a row.
 */
export function limitTo(rows: number): string {
  return ` limit ${BigInt(rows)}`;
}
