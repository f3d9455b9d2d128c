import type { EntityManager } from '@mikro-orm/sql';
import { Failure } from '#contract/failure.ts';
import type { Engine, OpenDatabase } from '#store/database/engine.ts';
import { entities } from '#store/entities.ts';
import { migrations } from '#store/migrations/list.ts';
import { type SnapshotUpgrades, upgradeSnapshots } from '#store/snapshot-upgrades.ts';
import { addRows, digestOf, RowDigester, rowsOfTable, type TableDigest } from './table-rows.ts';
import type { TableShape } from './table-shape.ts';

/** A table that was carried over, with what both databases have in it. */
export interface CarriedTable extends TableDigest {
  readonly name: string;
}

/** How long the writing waits for others that have the target, in milliseconds. */
const patienceMs = 5_000;

/** Has a database assign no number again that another one once assigned, also of rows that are deleted. */
type CountOn = (from: EntityManager, to: EntityManager, shape: TableShape) => Promise<void>;

/**
 * Reads one database as of one moment and writes another one in one transaction. Both have the tables of this version of
 * muster then.
 * @throws what the engines' `open` and the work throw, as the failure of the database that it is from
 */
export async function betweenDatabases<T>(
  from: Engine,
  to: Engine,
  upgrades: SnapshotUpgrades,
  work: (from: EntityManager, to: EntityManager) => Promise<T>,
): Promise<T> {
  const source = await openToCarry(from, upgrades);
  try {
    const target = await openToCarry(to, upgrades);
    try {
      return await source.read((own) => target.write((other) => work(own, other), patienceMs));
    } catch (error) {
      throw await source.failureOf(await target.failureOf(error));
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function openToCarry(engine: Engine, upgrades: SnapshotUpgrades): Promise<OpenDatabase> {
  return engine.open({
    schema: { entities, migrations },
    prepare: (em) => upgradeSnapshots(em, upgrades),
    onFault: () => undefined,
  });
}

/**
 * Writes all rows of some tables into the same tables of another database, in place of what migrations wrote there.
 * @throws DATABASE_COPY_DIFFERS when the target gives back other rows than it was given
 */
export async function carryTables(
  from: EntityManager,
  to: EntityManager,
  { shapes, countOn }: { readonly shapes: readonly TableShape[]; readonly countOn: CountOn },
): Promise<readonly CarriedTable[]> {
  for (const { name } of shapes.toReversed()) await to.execute(`delete from "${name}"`);
  const tables: CarriedTable[] = [];
  for (const shape of shapes) {
    tables.push(await carryTable(from, to, shape));
    await countOn(from, to, shape);
  }
  return tables;
}

async function carryTable(from: EntityManager, to: EntityManager, shape: TableShape): Promise<CarriedTable> {
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
    `The copy gives back other rows of ${shape.name} than it was given (${held.rows} of ${given.rows}), so nothing was ` +
      'written: keep the database as it is, and report this',
  );
}
