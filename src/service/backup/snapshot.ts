import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { databaseAddress } from '#actors/registry/configured-database.ts';
import { databaseEngine } from '#actors/registry/database-engine.ts';
import { databaseIn } from '#actors/registry/installation-files.ts';
import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { version } from '#gateway/http/version.ts';
import { snapshotUpgrades } from '#machines/snapshot-upgrade.ts';
import { copyDatabase } from '#store/sqlite/database-copy.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { extractDatabase } from '#store/transfer/extract.ts';
import { computerName } from '#world/computer-name.ts';
import { isThere, readPrivateFile } from '#world/file/private-file.ts';
import { contentsOf, databaseEntry } from './contents.ts';
import type { BackedUpFile, Manifest } from './manifest.ts';

/**
 * Copies an installation into an empty folder, as of one moment, also while it runs.
 * @throws Failure of the database
 */
export async function takeSnapshot(config: Config, folder: string, now: Date): Promise<Manifest> {
  const isOnPostgres = await copyOf(config, join(folder, databaseEntry));
  for (const name of contentsOf(config.home)) {
    await mkdir(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
    await copyFile(join(config.home, name), join(folder, name));
  }
  return {
    format: 'muster-backup-1',
    version,
    installation: readPrivateFile(join(folder, 'installation.id'))?.trim() ?? '',
    takenAt: now.toISOString(),
    machine: computerName(),
    home: resolve(config.home),
    database: isOnPostgres ? 'postgres' : 'sqlite',
    files: await Promise.all([databaseEntry, ...contentsOf(folder)].map((name) => describe(folder, name))),
  };
}

/** Requires an installation, before anything is written. @throws FAILED_PRECONDITION when there is none */
export function requireInstallation(config: Config): void {
  const file = databaseIn(config.home);
  if (databaseAddress(config) !== undefined || isThere(file)) return;
  throw new Failure(
    'DATABASE_MISSING',
    `There is no ${file} to back up: set MUSTER_HOME to the state folder of the installation`,
  );
}

/** Copies the database to a file. Returns whether it is PostgreSQL. */
async function copyOf(config: Config, copy: string): Promise<boolean> {
  if (databaseAddress(config) !== undefined) {
    await extractDatabase(databaseEngine(config), new SqliteEngine(copy), snapshotUpgrades);
    return true;
  }
  copyDatabase(databaseIn(config.home), copy);
  return false;
}

async function describe(folder: string, name: string): Promise<BackedUpFile> {
  const path = join(folder, name);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { name, bytes: statSync(path).size, sha256: hash.digest('hex') };
}
