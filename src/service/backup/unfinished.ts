import { join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { isThere } from '#world/file/private-file.ts';

/** Stands in a state folder while a restore puts things in place; one that was cut off leaves it. */
export function restoreMarker(home: string): string {
  return join(home, 'restore.unfinished');
}

/**
 * Refuses a state folder in which a restore was cut off.
 * @throws RESTORE_UNFINISHED
 */
export function requireFinishedRestore(home: string): void {
  if (!isThere(restoreMarker(home))) return;
  throw new Failure(
    'RESTORE_UNFINISHED',
    `A restore into ${home} was cut off, so it has only part of an installation: run muster restore FILE again`,
  );
}
