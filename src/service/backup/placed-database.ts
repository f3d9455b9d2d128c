import { renameSync, rmSync } from 'node:fs';
import { databaseIn } from '#actors/registry/installation-files.ts';
import { recordRestore } from '#actors/registry/restored.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { snapshotUpgrades } from '#machines/snapshot-upgrade.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { openStore } from '#store/store.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { isThere } from '#world/file/private-file.ts';

/** Migrates a copy of a database to this version, and records in it that it was restored. */
export async function recordRestoreIn(
  file: string,
  times: { readonly takenAt: string; readonly restoredAt: string },
): Promise<void> {
  const store = await openStore({
    engine: new SqliteEngine(file),
    clock: systemTimer,
    viewOf,
    upgrades: snapshotUpgrades,
  });
  try {
    await store.write((tables) => recordRestore(tables, times));
  } finally {
    await store.close();
  }
}

/** Replaces a state folder's SQLite database, which nothing uses, by a copy. */
export function placeDatabaseFile(home: string, copy: string): void {
  const file = databaseIn(home);
  for (const suffix of ['', '-wal', '-shm', '-digests']) rmSync(`${file}${suffix}`, { force: true });
  if (isThere(`${copy}-digests`)) renameSync(`${copy}-digests`, `${file}-digests`);
  renameSync(copy, file);
}
