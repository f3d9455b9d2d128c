import { join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { isThere } from '#world/file/private-file.ts';

/** The file that marks a restore in progress. An interrupted restore leaves it. */
export function restoreMarker(home: string): string {
  return join(home, 'restore.unfinished');
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
