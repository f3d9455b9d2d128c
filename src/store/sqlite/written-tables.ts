/** A statement that writes, up to the name of its table. */
const target =
  /^\s*(?:insert(?:\s+or\s+\w+)?\s+into|update(?:\s+or\s+\w+)?|delete\s+from)\s+["`]?(\w+)["`]?(?!["`\w]*\s*\.)/i;
const word = /\w+/g;

/** What a statement does with tables. */
interface TableUse {
  /** The words of a statement that only reads, the names of its tables among them; undefined if it may write. */
  readonly read: readonly string[] | undefined;
  /** The table that it writes; undefined if it names none. */
  readonly written: string | undefined;
}

/** The uses of each text. The same texts recur, apart from lists of many lengths. */
const uses = new Map<string, TableUse>();
const maxUses = 1_000;

/**
 * The tables that a transaction has written. muster's tables have no triggers, and no foreign key changes other rows,
 * so a statement writes only the table that it names.
 */
export class WrittenTables {
  readonly #names = new Set<string>();
  #isAny = false;

  /** Whether a statement only reads, and only tables that have not been written. */
  leavesOut(sql: string): boolean {
    const { read } = useOf(sql);
    return read !== undefined && !this.#isAny && !read.some((name) => this.#names.has(name));
  }

  add(sql: string): void {
    const { read, written } = useOf(sql);
    if (read !== undefined) return;
    if (written === undefined) this.#isAny = true;
    else this.#names.add(written);
  }
}

function useOf(sql: string): TableUse {
  const known = uses.get(sql);
  if (known !== undefined) return known;
  const use = {
    read: readsOnly(sql) ? (sql.toLowerCase().match(word) ?? []) : undefined,
    written: target.exec(sql)?.[1]?.toLowerCase(),
  };
  if (uses.size >= maxUses) uses.clear();
  uses.set(sql, use);
  return use;
}

/** `with` may also begin a statement that writes. */
function readsOnly(sql: string): boolean {
  return /^\s*select\b/i.test(sql) || (/^\s*with\b/i.test(sql) && !/\b(?:insert|update|delete|replace)\b/i.test(sql));
}
