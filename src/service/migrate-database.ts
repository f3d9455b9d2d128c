import { renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { databaseAddress } from '#actors/registry/configured-database.ts';
import { databaseIn, migratedDatabase, migratedPrefix } from '#actors/registry/installation-files.ts';
import { counted } from '#cli/print/counted.ts';
import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { snapshotUpgrades } from '#machines/snapshot-upgrade.ts';
import { type DatabaseAddress, nameOfDatabase } from '#store/postgres/database-address.ts';
import { PostgresEngine } from '#store/postgres/postgres-engine.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import type { CopiedTable } from '#store/transfer/copy-tables.ts';
import { type Transfer, transferDatabase } from '#store/transfer/transfer.ts';
import { isThere } from '#world/file/private-file.ts';
import { syncFolder } from '#world/file/synced-folder.ts';
import { takeOwnerLock } from './owner-lock.ts';
import { stateFolderAt } from './state-folder.ts';

const usage = 'Usage: muster migrate-database --to postgres://USER@HOST/DATABASE';

/**
 * `muster migrate-database --to URL`: moves the installation of this state folder from SQLite to PostgreSQL while it
 * does not run, and keeps the old database under another name. Returns the exit status.
 * @throws Failure with the reason INVALID_USAGE, ALREADY_RUNNING, DATABASE_MISSING, DATABASE_NOT_EMPTY or
 *   DATABASE_COPY_DIFFERS, and the failures of either database. Both are then unchanged.
 */
export async function runMigrateDatabase(args: readonly string[], config: Config): Promise<number> {
  const address = targetOf(args, config);
  const file = databaseIn(config.home);
  requireSqlite(config, file);
  const folder = stateFolderAt(config.home);
  const locks = ['start', 'registry'].map((name) => takeOwnerLock(folder, name));
  try {
    const to = new PostgresEngine(address, Math.random);
    const transfer = await transferDatabase(new SqliteEngine(file), to, snapshotUpgrades);
    const kept = renameOldDatabase(file, new Date());
    process.stdout.write(reportOf(transfer, nameOfDatabase(address), kept));
    return 0;
  } finally {
    for (const lock of locks.toReversed()) lock.release();
  }
}

function targetOf(args: readonly string[], { home, databasePasswordFile }: Config): DatabaseAddress {
  const databaseUrl = readTo(args);
  try {
    const address = databaseAddress({ home, databaseUrl, databasePasswordFile });
    if (address !== undefined) return address;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw error.saying(`--to has the form of MUSTER_DATABASE_URL. ${error.message}`);
  }
  throw new Failure('INVALID_USAGE', `--to is missing. ${usage}`, { field: 'to' });
}

function readTo(args: readonly string[]): string | undefined {
  try {
    return parseArgs({ args: [...args], options: { to: { type: 'string' } } }).values.to;
  } catch (error) {
    throw new Failure('INVALID_USAGE', `${error instanceof Error ? error.message : String(error)}. ${usage}`);
  }
}

/** Requires SQLite. @throws INVALID_ARGUMENT when it is already PostgreSQL, FAILED_PRECONDITION without a database */
function requireSqlite({ home, databaseUrl }: Config, file: string): void {
  if (databaseUrl !== undefined)
    throw new Failure(
      'INVALID_SETTING',
      `MUSTER_DATABASE_URL is set, so muster already runs on PostgreSQL: unset it to migrate the database in ${home}.`,
      { field: 'MUSTER_DATABASE_URL' },
    );
  if (isThere(file)) return;
  const kept = migratedDatabase(home);
  throw new Failure(
    'DATABASE_MISSING',
    kept === undefined
      ? `There is no ${file} to migrate: set MUSTER_HOME to the state folder of the installation`
      : `There is no ${file} to migrate: it has already been migrated, and is kept as ${kept}`,
  );
}

/**
 * Renames the old database, so that it is not used by mistake: a start without MUSTER_DATABASE_URL is then refused.
 * Returns its new path.
 */
function renameOldDatabase(file: string, now: Date): string {
  const kept = `${file.slice(0, -'muster.db'.length)}${migratedPrefix}${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  if (isThere(`${file}-digests`)) renameSync(`${file}-digests`, `${kept}-digests`);
  renameSync(file, kept);
  syncFolder(dirname(file));
  return kept;
}

function reportOf({ tables, wasDone }: Transfer, target: string, kept: string): string {
  const filled = tables.filter(({ rows }) => rows > 0);
  const all = counted(
    filled.reduce((sum, { rows }) => sum + rows, 0),
    'row',
  );
  const done = wasDone ? 'An earlier migration had copied' : 'Copied';
  return (
    `${tableOf(filled)}\n${done} ${all} of ${counted(filled.length, 'table')} to ${target}, and compared them: all are the same.\n` +
    `The old database is kept as ${kept}.\n` +
    'Set MUSTER_DATABASE_URL for the registry to the address you gave, and start muster again.\n'
  );
}

function tableOf(tables: readonly CopiedTable[]): string {
  const width = Math.max(5, ...tables.map(({ name }) => name.length));
  const line = (name: string, rows: string, digest: string) =>
    `${name.padEnd(width)}  ${rows.padStart(9)}  ${digest}\n`;
  const lines = tables.map(({ name, rows, digest }) => line(name, String(rows), digest.slice(0, 16)));
  return line('TABLE', 'ROWS', 'SHA-256') + lines.join('');
}
