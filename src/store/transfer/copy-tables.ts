import type { EntityManager } from '@mikro-orm/sql';
import { Failure } from '#contract/failure.ts';
import type { Engine, OpenDatabase } from '#store/database/engine.ts';
import { entities } from '#store/entities.ts';
import { migrations, release } from '#store/migrations/list.ts';
import { type SnapshotUpgrades, snapshotUpgrade } from '#store/snapshot-upgrades.ts';
import { addRows, digestOf, RowDigester, rowsOfTable, type TableDigest } from './table-rows.ts';
import type { TableShape } from './table-shape.ts';

/** A table that was copied, with the digest that is the same in both databases. */
export interface CopiedTable extends TableDigest {
  readonly name: string;
}

/** How long the write waits for other programs that lock the target, in milliseconds. */
const patienceMs = 5_000;

/** Lets a transaction of PostgreSQL pause while the other database is read or written. */
export const mayPause = 'set local idle_in_transaction_session_timeout = 0';

/** Makes a table's sequence in the target continue after that of the source, so that no number is assigned twice. */
type ContinueSequence = (from: EntityManager, to: EntityManager, shape: TableShape) => Promise<void>;

/**
 * Reads a snapshot of one database and writes another one in one transaction. Both databases are migrated first.
 * @throws as `Engine.open` and as the work; errors of a database as the failure for that database
 */
export async function betweenDatabases<T>(
  from: Engine,
  to: Engine,
  upgrades: SnapshotUpgrades,
  work: (from: EntityManager, to: EntityManager) => Promise<T>,
): Promise<T> {
  const source = await openToCopy(from, upgrades);
  try {
    const target = await openToCopy(to, upgrades);
    try {
      return await source.read((own) => target.write((other) => work(own, other), { patienceMs }));
    } catch (error) {
      throw await source.failureOf(await target.failureOf(error));
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function openToCopy(engine: Engine, upgrades: SnapshotUpgrades): Promise<OpenDatabase> {
  return engine.open({
    schema: { entities, migrations, release },
    rows: snapshotUpgrade(upgrades),
    onFault: () => undefined,
    onUnsure: () => undefined,
  });
}

/**
 * Copies all rows of tables into the same tables of another database. Replaces the rows that migrations inserted there.
 * @throws DATABASE_COPY_DIFFERS when the target returns other rows than were written
 */
export async function copyTables(
  from: EntityManager,
  to: EntityManager,
  { shapes, continueSequence }: { readonly shapes: readonly TableShape[]; readonly continueSequence: ContinueSequence },
): Promise<readonly CopiedTable[]> {
  for (const { name } of shapes.toReversed()) await to.execute(`delete from "${name}"`);
  const tables: CopiedTable[] = [];
  for (const shape of shapes) {
    tables.push(await copyTable(from, to, shape));
    await continueSequence(from, to, shape);
  }
  return tables;
}

async function copyTable(from: EntityManager, to: EntityManager, shape: TableShape): Promise<CopiedTable> {
  const digester = new RowDigester();
  for await (const rows of rowsOfTable(from, shape)) {
    digester.add(rows);
    await addRows(to, shape, rows);
  }
  const given = digester.result();
  const held = await digestOf(to, shape);
  if (held.digest === given.digest && held.rows === given.rows) return { name: shape.name, ...held };
  throw new Failure(
    'DATABASE_COPY_DIFFERS',
    `The copy returns other rows of ${shape.name} than were written (${held.rows} of ${given.rows}), so nothing was ` +
      'written: keep the database as it is, and report this',
  );
}
