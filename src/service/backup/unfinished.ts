import { join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { isThere, readPrivateFile, writePrivateFile } from '#world/file/private-file.ts';

/** The file that marks a restore in progress, with its backup and when it began. An interrupted restore leaves it. */
export function restoreMarker(home: string): string {
  return join(home, 'restore.unfinished');
}

/** Marks that a restore of a backup is in progress, since a time. */
export function markRestore(home: string, backup: string, began: Date): void {
  writePrivateFile(restoreMarker(home), `${backup}\n${began.toISOString()}\n`);
}

/**
 * When the restore that this one continues began; undefined if it continues none. With the same time both write the same
 * rows, so that a database that has them already is not taken for another one.
 */
export function restoreStartedAt(home: string): Date | undefined {
  const [, began = ''] = readPrivateFile(restoreMarker(home))?.split('\n') ?? [];
  const time = new Date(began);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/**
 * Refuses a state folder with an interrupted restore.
 * @throws FAILED_PRECONDITION
 */
export function requireFinishedRestore(home: string): void {
  if (!isThere(restoreMarker(home))) return;
  throw new Failure(
    'RESTORE_UNFINISHED',
    `A restore into ${home} was interrupted, so it has only part of an installation: run muster restore FILE again`,
  );
}
