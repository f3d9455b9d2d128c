import { z } from 'zod';
import type { Tables } from '#store/tables.ts';

const setting = 'backup';

/** What the database records about scheduled backups, so that every registry knows it. */
const BackupRecord = z.object({
  /** The last backup that was made. */
  last: z
    .object({
      /** When: RFC 3339, UTC. */
      takenAt: z.iso.datetime(),
      path: z.string(),
      /** Its size in bytes. */
      bytes: z.int(),
      /** The machine that its file is on. */
      machine: z.string(),
    })
    .optional(),
  /** The last attempt, if it failed. */
  failed: z
    .object({
      /** When: RFC 3339, UTC. */
      at: z.iso.datetime(),
      why: z.string(),
      machine: z.string(),
    })
    .optional(),
});
export type BackupRecord = z.infer<typeof BackupRecord>;

/** Reads the record of scheduled backups; empty if there is none. */
export async function readBackupRecord({ settings }: Pick<Tables, 'settings'>): Promise<BackupRecord> {
  return BackupRecord.parse(JSON.parse((await settings.get(setting)) ?? '{}'));
}

/** Replaces the record of scheduled backups. */
export async function putBackupRecord({ settings }: Pick<Tables, 'settings'>, record: BackupRecord): Promise<void> {
  await settings.put(setting, JSON.stringify(record));
}
