import type { EntityManager } from '@mikro-orm/sql';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { MachineName } from '#contract/machine/machine-name.ts';
import { instanceEntities } from '#store/instance/instance-entities.ts';

/** The versions of machines' snapshots, and the upgrades between them. */
export interface SnapshotUpgrades {
  /** The version that this version of muster writes. */
  versionOf(machine: string): number;
  /** Upgrades a snapshot to that version. `cwd` is the directory into which an agent was launched. */
  upgrade(machine: string, snapshot: StoredSnapshot, source: { readonly cwd?: string | undefined }): StoredSnapshot;
}

/** How many rows are read and upgraded at a time. */
const atOnce = 500;

interface LegacyRow {
  readonly id: string | number;
  readonly snapshot: string;
  readonly cwd: string | null;
}

/**
 * Upgrades every stored snapshot to this version, all of them or none.
 * @throws FAILED_PRECONDITION when a newer version of muster wrote one
 */
export async function upgradeSnapshots(em: EntityManager, upgrades: SnapshotUpgrades): Promise<void> {
  const machines = Object.keys(instanceEntities) as MachineName[];
  const old: MachineName[] = [];
  for (const machine of machines) if ((await oldRows(em, machine, upgrades, 1)).length > 0) old.push(machine);
  if (old.length === 0) return;
  await em.transactional(async (writing) => {
    for (const machine of old) await upgradeMachine(writing, machine, upgrades);
  });
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
  const isOther = `coalesce(cast("snapshot" ->> 'version' as integer), 0) <> ${upgrades.versionOf(machine)}`;
  return em.execute<LegacyRow[]>(
    `select "id", cast("snapshot" as text) as "snapshot", ${cwd} as "cwd" from "${tableOf(em, machine)}" where ${isOther} limit ${limit}`,
  );
}

function tableOf(em: EntityManager, machine: MachineName): string {
  return em.getMetadata().get(instanceEntities[machine] as never).tableName;
}
