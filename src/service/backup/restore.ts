import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { databaseAddress } from '#actors/registry/configured-database.ts';
import { Failure } from '#contract/failure.ts';
import { fileFailure } from '#contract/file-fault.ts';
import type { Config } from '#contract/process-context.ts';
import { snapshotUpgrades } from '#machines/snapshot-upgrade.ts';
import { takeOwnerLock } from '#service/owner-lock.ts';
import { otherHome, prepareStateFolder, type StateFolder } from '#service/state-folder.ts';
import { PostgresEngine } from '#store/postgres/postgres-engine.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { transferDatabase } from '#store/transfer/transfer.ts';
import { isThere, removePrivateFile } from '#world/file/private-file.ts';
import { syncFolder } from '#world/file/synced-folder.ts';
import { noteContents } from './added-files.ts';
import { type Archive, readArchive } from './archive.ts';
import { contentsOf, databaseEntry } from './contents.ts';
import type { Manifest } from './manifest.ts';
import { placeDatabaseFile, recordRestoreIn } from './placed-database.ts';
import { markRestore, restoreMarker, restoreStartedAt } from './unfinished.ts';

/** The processes that must not run meanwhile. */
const owners = ['start', 'registry', 'host'];

/**
 * Restores a backup into a state folder without an installation, and into an empty database if one is configured. The
 * whole backup is verified before anything is put in place. A refused restore leaves the state folder as it was.
 * @throws Failure with the reason INSTALLATION_EXISTS, ALREADY_RUNNING, BACKUP_UNREADABLE, PASSPHRASE_WRONG,
 *   NEWER_VERSION_REQUIRED (a newer muster made it) or DATABASE_NOT_EMPTY, and the failures of the database
 */
export async function restore(config: Config, archive: Archive, now: Date): Promise<Manifest> {
  const removeAdded = noteContents(config.home);
  const folder = prepareStateFolder(config.home);
  const locks = owners.map((name) => takeOwnerLock(folder, name));
  const unpacked = join(folder.tmp, `restore-${randomUUID()}`);
  let isDone = false;
  try {
    requireNoInstallation(config);
    mkdirSync(unpacked, { mode: 0o700 });
    const manifest = await readArchive(archive, unpacked);
    const wasInterrupted = isThere(restoreMarker(folder.home));
    const began = restoreStartedAt(folder.home) ?? now;
    await recordRestoreIn(join(unpacked, databaseEntry), {
      takenAt: manifest.takenAt,
      restoredAt: began.toISOString(),
    });
    markRestore(folder.home, archive.path, began);
    await placeDatabase(config, unpacked).catch((error: unknown) => {
      if (!wasInterrupted && hasPlacedNothing(config, error)) removePrivateFile(restoreMarker(folder.home));
      throw error;
    });
    await placeFiles(folder, unpacked);
    removePrivateFile(restoreMarker(folder.home));
    syncFolder(folder.home);
    isDone = true;
    return manifest;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw fileFailure(error, `${archive.path} cannot be restored to ${config.home}`, otherHome);
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
    for (const lock of locks.toReversed()) lock.release();
    // A refused restore leaves no trace. An interrupted one leaves its mark, and what it has put in place.
    if (!isDone && !isThere(restoreMarker(config.home))) removeAdded();
  }
}

/**
 * Refuses a folder with an installation. Files of an interrupted restore do not count, because this one replaces them.
 */
function requireNoInstallation({ home, databaseUrl }: Config): void {
  if (isThere(restoreMarker(home))) return;
  const found = [...(databaseUrl === undefined ? [databaseEntry] : []), ...contentsOf(home)].filter((name) =>
    isThere(join(home, name)),
  );
  if (found.length === 0) return;
  throw new Failure(
    'INSTALLATION_EXISTS',
    `${home} already has an installation (${found.join(', ')}), so nothing was restored: name an empty folder in ` +
      'MUSTER_HOME, or move this one away',
  );
}

async function placeDatabase(config: Config, unpacked: string): Promise<void> {
  const copy = join(unpacked, databaseEntry);
  const address = databaseAddress(config);
  if (address === undefined) {
    placeDatabaseFile(config.home, copy);
    return;
  }
  await transferDatabase(new SqliteEngine(copy), new PostgresEngine(address, Math.random), snapshotUpgrades);
}

/** Whether an error shows that the database is as it was: a PostgreSQL gets everything in one transaction. */
function hasPlacedNothing(config: Config, error: unknown): boolean {
  return databaseAddress(config) !== undefined && error instanceof Failure && !error.isFor('COMMIT_UNKNOWN');
}

async function placeFiles({ home }: StateFolder, unpacked: string): Promise<void> {
  for (const name of contentsOf(unpacked)) {
    const path = join(home, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    renameSync(join(unpacked, name), path);
    syncFolder(dirname(path));
  }
}
