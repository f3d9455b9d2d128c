import { linkSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { fileFailure } from '#contract/file-fault.ts';
import type { Config } from '#contract/process-context.ts';
import { otherHome, prepareStateFolder } from '#service/state-folder.ts';
import { isThere } from '#world/file/private-file.ts';
import { syncFolder } from '#world/file/synced-folder.ts';
import { type Archive, readArchive, writeArchive } from './archive.ts';
import { ownPart, removeLeftBehind } from './left-behind.ts';
import type { Manifest } from './manifest.ts';
import { requireInstallation, takeSnapshot } from './snapshot.ts';

/** A finished backup. */
export interface Backup extends Archive {
  readonly manifest: Manifest;
  /** Its size in bytes. */
  readonly bytes: number;
}

/**
 * Backs up an installation into a new file, and reads it back before it gets its name, so that a file of that name is a
 * complete backup. Removes what killed backups left next to it and in the state folder.
 * @throws FAILED_PRECONDITION when there is no installation or the file exists, and the failures of the database and
 *   the disk
 */
export async function backUp(config: Config, archive: Archive, now: Date): Promise<Backup> {
  requireInstallation(config);
  requireNew(archive.path);
  const { tmp } = prepareStateFolder(config.home);
  for (const place of [tmp, dirname(archive.path)]) await removeLeftBehind(place, now);
  const folder = makeWorkFolder(tmp);
  const draft = `${archive.path}.${ownPart()}`;
  try {
    const manifest = await takeSnapshot(config, folder, now).catch((error: unknown) => {
      if (error instanceof Failure) throw error;
      throw fileFailure(error, `The backup cannot be prepared in ${folder}`, otherHome);
    });
    await writeArchive({ ...archive, path: draft }, manifest, folder);
    await readArchive({ ...archive, path: draft });
    publish(draft, archive.path);
    return { ...archive, manifest, bytes: statSync(archive.path).size };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw fileFailure(error, `The backup ${archive.path} cannot be written`, 'or name another file');
  } finally {
    rmSync(draft, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Requires a new path. @throws FAILED_PRECONDITION when the file exists, or when its folder is missing */
function requireNew(path: string): void {
  requireFolder(dirname(path));
  if (isThere(path))
    throw new Failure('FILE_EXISTS', `${path} already exists, and a backup overwrites nothing: name another file`);
}

/** Requires a folder for a backup. @throws FILE_NOT_USABLE when it is missing, or is a file */
export function requireFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined)
    throw new Failure('FILE_NOT_USABLE', `The folder ${path} of the backup is missing: create it first`);
  if (!found.isDirectory()) throw new Failure('FILE_NOT_USABLE', `${path} is a file: name a folder for the backup`);
}

/** Gives a finished draft its name, unless that is taken meanwhile. */
function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch {
    // Some file systems do not support hard links.
    requireNew(path);
    renameSync(draft, path);
  }
  syncFolder(dirname(path));
}

/** Creates a folder for a snapshot. */
function makeWorkFolder(tmp: string): string {
  try {
    return mkdtempSync(join(tmp, `${ownPart()}-`));
  } catch (error) {
    throw fileFailure(error, `The backup cannot be prepared in ${tmp}`, otherHome);
  }
}
