import { escapeLiteral, type Pool } from 'pg';

/** How many rows a test may leave for its database to be used again: what is deleted stays in the files. */
const maxRows = 2_000;

/** How long a connection may take to end, in milliseconds: until then, it may still commit. */
const endMs = 30_000;

/** What a database without a row of a test has. */
interface Pristine {
  /** How many objects its catalogs have, and the transaction of the newest. A change of a table changes either. */
  readonly catalogs: string;
  readonly tables: readonly string[];
  /** The statements that give its tables the rows that it was made with. */
  readonly rows: readonly string[];
  /** The statements that set its sequences back. */
  readonly sequences: readonly string[];
}

const catalogs = `select string_agg(n || ' ' || newest, ',') as found from (${[
  'pg_class',
  'pg_attribute',
  'pg_constraint',
  'pg_proc',
  'pg_trigger',
  'pg_namespace',
]
  .map((name) => `(select count(*) as n, coalesce(max(xmin::text::bigint), 0) as newest from ${name})`)
  .join(' union all ')}) as counted`;

/** A database that one test after another uses: to make one takes the server as long as a short test. */
export class ReusedDatabase {
  readonly name: string;
  /** Its own connection: each new one costs the server as much as a short test. */
  readonly #pool: Pool;
  readonly #pristine: Pristine;

  private constructor(name: string, pool: Pool, pristine: Pristine) {
    this.name = name;
    this.#pool = pool;
    this.#pristine = pristine;
  }

  /** Takes a database that was just made. */
  static async of(name: string, pool: Pool): Promise<ReusedDatabase> {
    return new ReusedDatabase(name, pool, await pristineOf(pool));
  }

  async rows(query: string): Promise<Record<string, unknown>[]> {
    return (await this.#pool.query(query)).rows;
  }

  /** Ends its connections and makes it as it was. Returns whether the next test may use it. */
  async reset(): Promise<boolean> {
    const { catalogs: before, tables, rows, sequences } = this.#pristine;
    const { rows: ended } = await this.#pool.query(
      `select pg_terminate_backend(pid, ${endMs}) as done from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    if (ended.some(({ done }) => done !== true) || (await catalogsOf(this.#pool)) !== before) return false;
    const deletions = tables.map((table) => `delete from "${table}"`);
    const texts = ['begin', "set local session_replication_role = 'replica'", ...deletions, ...rows, 'commit'];
    const done = await this.#pool.query([...texts, ...sequences].join(';'));
    const results: readonly { command: string; rowCount: number | null }[] = Array.isArray(done) ? done : [done];
    const deleted = results.filter(({ command }) => command === 'DELETE');
    return deleted.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0) <= maxRows;
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }
}

async function catalogsOf(pool: Pool): Promise<string> {
  return String((await pool.query(catalogs)).rows[0]?.found);
}

async function pristineOf(pool: Pool): Promise<Pristine> {
  const named = async (query: string) => (await pool.query(query)).rows as Record<string, string>[];
  const tables = (await named(`select tablename from pg_tables where schemaname = 'public'`)).map(
    ({ tablename = '' }) => tablename,
  );
  const rows: string[] = [];
  for (const table of tables) {
    const [{ kept } = {}] = await named(`select json_agg(t)::text as kept from "${table}" t`);
    if (kept === undefined || kept === null) continue;
    rows.push(
      `insert into "${table}" overriding system value select * from json_populate_recordset(null::"${table}", ${escapeLiteral(kept)})`,
    );
  }
  const sequences = await named(
    `select format('select setval(%L, %s, %s)', quote_ident(sequencename), coalesce(last_value, start_value), (last_value is not null)::text) as text from pg_sequences where schemaname = 'public'`,
  );
  return { catalogs: await catalogsOf(pool), tables, rows, sequences: sequences.map(({ text = '' }) => text) };
}
