import type { EntityManager } from '@mikro-orm/sql';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { MachineName } from '#contract/machine/machine-name.ts';
import type { RowUpgrade } from '#store/database/engine.ts';
import { instanceEntities } from '#store/instance/instance-entities.ts';

/** The versions of machines' snapshots, and the upgrades between them. */
export interface SnapshotUpgrades {
  /** The version that this version of muster writes. */
  versionOf(machine: string): number;
  /** Upgrades a snapshot to that version. `cwd` is the directory into which an agent was launched. */
  upgrade(machine: string, snapshot: StoredSnapshot, source: { readonly cwd?: string | undefined }): StoredSnapshot;
}

const machines = Object.keys(instanceEntities) as MachineName[];

/** How many rows are read and upgraded at a time. */
const atOnce = 500;

interface LegacyRow {
  readonly id: string | number;
  readonly snapshot: string;
  readonly cwd: string | null;
}

/**
 * Upgrades every stored snapshot to this version, all of them or none. Without upgrades there is nothing to do.
 * @throws FAILED_PRECONDITION when a newer version of muster wrote one
 */
export function snapshotUpgrade(upgrades: SnapshotUpgrades | undefined): RowUpgrade {
  if (upgrades === undefined) return { isDone: async () => true, run: async () => undefined };
  const oldMachines = (em: EntityManager) =>
    em.execute<{ machine: MachineName }[]>(
      machines.map((machine) => anyOld(em, machine, upgrades)).join(' union all '),
    );
  return {
    isDone: async (em) => (await oldMachines(em)).length === 0,
    run: (em) =>
      em.transactional(async (writing) => {
        for (const { machine } of await oldMachines(writing)) await upgradeMachine(writing, machine, upgrades);
      }),
  };
}

/** A query that has a row if a machine has snapshots of other versions. */
function anyOld(em: EntityManager, machine: MachineName, upgrades: SnapshotUpgrades): string {
  const isOld = `exists (select 1 from "${tableOf(em, machine)}" where ${isOther(machine, upgrades)})`;
  return `select '${machine}' as "machine" where ${isOld}`;
}

function isOther(machine: MachineName, upgrades: SnapshotUpgrades): string {
  return `coalesce(cast("snapshot" ->> 'version' as integer), 0) <> ${upgrades.versionOf(machine)}`;
}

async function upgradeMachine(em: EntityManager, machine: MachineName, upgrades: SnapshotUpgrades): Promise<void> {
  for (;;) {
    const rows = await oldRows(em, machine, upgrades, atOnce);
    if (rows.length === 0) return;
    for (const { id, snapshot, cwd } of rows) {
      const stored = JSON.parse(snapshot) as StoredSnapshot;
      const current = upgrades.upgrade(machine, stored, { cwd: cwd ?? undefined });
      const update = `update "${tableOf(em, machine)}" set "snapshot" = ? where "id" = ?`;
      await em.execute(update, [JSON.stringify(current), id]);
    }
  }
}

function oldRows(
  em: EntityManager,
  machine: MachineName,
  upgrades: SnapshotUpgrades,
  limit: number,
): Promise<LegacyRow[]> {
  const cwd = machine === 'agent' ? `"launch" ->> 'cwd'` : 'null';
  return em.execute<LegacyRow[]>(
    `select "id", cast("snapshot" as text) as "snapshot", ${cwd} as "cwd" from "${tableOf(em, machine)}" where ${isOther(machine, upgrades)} limit ${limit}`,
  );
}

function tableOf(em: EntityManager, machine: MachineName): string {
  return em.getMetadata().get(instanceEntities[machine] as never).tableName;
}
