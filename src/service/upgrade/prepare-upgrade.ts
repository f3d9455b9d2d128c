import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { databaseAddress } from '#actors/registry/configured-database.ts';
import { databaseIn } from '#actors/registry/installation-files.ts';
import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { backUp } from '#service/backup/backup.ts';
import { readJoined } from '#service/join/joined-state.ts';
import { prepareStateFolder } from '#service/state-folder.ts';
import { isThere } from '#world/file/private-file.ts';
import { keepPrevious, type ProgramFolders } from './program-folders.ts';
import { changesTables, ownFacts, type ReleaseFacts } from './release-facts.ts';
import { hostsText, type Skew } from './skew.ts';
import { upgradesIn } from './upgrade-record.ts';

/** How many backups of upgrades are kept. */
const keptBackups = 5;
/** How long the new version may take to open a copy of the installation, in milliseconds. */
const rehearsalMs = 30 * 60_000;

const run = promisify(execFile);

/** Whether the installation's database is this machine's: not before its first start, and not if it has joined another one. */
export function ownsDatabase(config: Config): boolean {
  if (readJoined(config.home) !== undefined) return false;
  return databaseAddress(config) !== undefined || isThere(databaseIn(config.home));
}

/** Refuses a version that hosts or the database do not get along with. @throws UPGRADE_NOT_POSSIBLE */
export function requireFit(config: Config, next: ReleaseFacts, { tooOld, newer }: Skew): void {
  if (tooOld.length > 0) {
    throw refused(
      `muster ${next.version} would not understand ${hostsText(tooOld)}. Upgrade to a version between ${ownFacts().version} and ` +
        `${next.version} first, then these hosts, and then to ${next.version}`,
    );
  }
  if (newer.length > 0) {
    throw refused(`${hostsText(newer)} would be newer than the registry: upgrade to that version, or to a newer one`);
  }
  if (databaseAddress(config) !== undefined && changesTables(next)) {
    throw refused(
      `muster ${next.version} changes tables in PostgreSQL that ${ownFacts().version} needs, so there would be no way back. Stop all ` +
        'registries, back up, update each, and start them again',
    );
  }
}

/** Backs up the installation, and returns the file. Removes backups of the oldest upgrades. */
export async function backUpFirst(config: Config, to: string, now: Date): Promise<string> {
  prepareStateFolder(config.home);
  const folder = upgradesIn(config.home);
  const name = `${now.toISOString().replace(/[-:]|\.\d+/g, '')}-${ownFacts().version}-to-${to}.backup`;
  const { path } = await backUp(config, { path: join(folder, name), passphrase: undefined }, now);
  const old = readdirSync(folder)
    .filter((one) => one.endsWith('.backup'))
    .sort()
    .slice(0, -keptBackups);
  for (const one of old) rmSync(join(folder, one), { force: true });
  return path;
}

/**
 * Has the new version restore the backup into a folder of its own, which reads everything and brings the tables up to date there.
 * Nothing is started.
 * @throws UPGRADE_NOT_POSSIBLE when it does not succeed
 */
export async function rehearse(config: Config, { next }: ProgramFolders, backup: string): Promise<void> {
  const { tmp } = prepareStateFolder(config.home);
  const folder = mkdtempSync(join(tmp, 'rehearsal-'));
  const env = { ...process.env, MUSTER_HOME: folder, MUSTER_DATABASE_URL: '', MUSTER_DATABASE_PASSWORD_FILE: '' };
  try {
    await run(process.execPath, [join(next, 'bin', 'muster.mjs'), 'restore', backup], { env, timeout: rehearsalMs });
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw refused(`the new version does not read a copy of this installation: ${said.slice(0, 1_000)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the folder of upgrades, and keeps a copy of the program. */
export function makeRoom(home: string, folders: ProgramFolders): void {
  mkdirSync(upgradesIn(home), { recursive: true, mode: 0o700 });
  keepPrevious(folders);
}

function refused(why: string): Failure {
  return new Failure('UPGRADE_NOT_POSSIBLE', `Nothing was changed: ${why}`);
}
