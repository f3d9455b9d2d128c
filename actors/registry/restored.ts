import { z } from 'zod';
import { change } from '#actors/registry/agent/change.ts';
import type { KernelScope, WriteScope } from '#actors/registry/kernel/kernel-scope.ts';
import { skipUpToRestore } from '#actors/registry/schedule/after-restore.ts';
import type { Tables } from '#store/tables.ts';

const setting = 'restored';

/** The record of a restore in a restored database, until a registry starts on it. */
const RestoreRecord = z.object({
  /** When the backup was made: RFC 3339, UTC. */
  takenAt: z.iso.datetime(),
  /** When it was restored. */
  restoredAt: z.iso.datetime(),
});
type RestoreRecord = z.infer<typeof RestoreRecord>;

/** Marks a database that is about to be restored as restored from a backup. */
export async function recordRestore(
  { settings, generations, hosts, leases }: Tables,
  restored: RestoreRecord,
): Promise<void> {
  await settings.put(setting, JSON.stringify(restored));
  await generations.leaveServer();
  await leases.removeAll();
  await hosts.releaseAll();
}

/** Prepares a restored database for its first start: schedules skip what may have run since the backup was made. */
export async function applyRestore(scope: WriteScope & Pick<KernelScope, 'log'>, installation: string): Promise<void> {
  const settled = await change(scope, async (writing) => {
    const { settings, facts } = writing.tables;
    const noted = await settings.get(setting);
    if (noted === undefined) return undefined;
    const restored = RestoreRecord.parse(JSON.parse(noted));
    await skipUpToRestore(writing, restored.takenAt, Date.parse(restored.restoredAt));
    await facts.append([{ kind: 'installation.restored', subjectId: installation, detail: restored }]);
    await settings.drop(setting);
    return restored;
  });
  if (settled !== undefined) scope.log.warn(settled, 'this installation was restored from a backup');
}
