import type { Client } from 'pg';

/** The names of a database's tables. */
export const tableNames = `select tablename as "name" from pg_tables where schemaname = 'public'`;
const sequences = `select sequencename as "name", last_value as "last" from pg_sequences where schemaname = 'public'`;

let known: Promise<string> | undefined;

/**
 * Statements that return a database to its initial state, with the few rows that its migrations wrote. The first call
 * needs a connection to a new one.
 */
export function emptying(client: Client): Promise<string> {
  known ??= statementsFor(client);
  return known;
}

async function statementsFor(client: Client): Promise<string> {
  const statements = ['begin', `set local lock_timeout = '5s'`, 'set local session_replication_role = replica'];
  const { rows: all } = await client.query<{ name: string }>(tableNames);
  for (const { name } of all) {
    statements.push(`delete from "${name}"`);
    const { rows } = await client.query<{ rows: string | null }>(`select json_agg(t)::text as "rows" from "${name}" t`);
    const text = rows[0]?.rows;
    if (text !== null && text !== undefined)
      statements.push(
        `insert into "${name}" select * from json_populate_recordset(null::"${name}", ${client.escapeLiteral(text)})`,
      );
  }
  const { rows: counted } = await client.query<{ name: string; last: string | null }>(sequences);
  for (const { name, last } of counted) statements.push(`select setval('"${name}"', ${last ?? 1}, ${last !== null})`);
  return [...statements, 'commit'].join('; ');
}
