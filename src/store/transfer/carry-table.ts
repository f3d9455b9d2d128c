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

/** Opens a database with the tables of this version of muster, so that both have the same. */
export function openToCarry(engine: Engine, upgrades: SnapshotUpgrades): Promise<OpenDatabase> {
  return engine.open({
    schema: { entities, migrations },
    prepare: (em) => upgradeSnapshots(em, upgrades),
    onFault: () => undefined,
  });
}

/**
 * Writes all rows of a table into the same table of another database, which has none there.
 * @throws DATABASE_COPY_DIFFERS when the target gives back other rows than it was given
 */
export async function carryTable(from: EntityManager, to: EntityManager, shape: TableShape): Promise<CarriedTable> {
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
