/** The part of the library that muster uses. It has no types of its own. */
declare module 'better-sqlite3' {
  class Database {
    /** @param options `timeout`: how long it waits for a lock, in milliseconds */
    constructor(file: string, options?: { readonly: boolean; timeout: number });
    readonly name: string;
    readonly inTransaction: boolean;
    exec(sql: string): void;
    close(): void;
    pragma(source: string, options?: { simple: boolean }): unknown;
    defaultSafeIntegers(on: boolean): void;
    prepare(sql: string): {
      /** Whether it returns rows. */
      readonly reader: boolean;
      all(parameters: readonly unknown[]): Record<string, unknown>[];
      run(parameters: readonly unknown[]): {
        readonly changes: number | bigint;
        readonly lastInsertRowid: number | bigint;
      };
    };
  }
  export = Database;
}
