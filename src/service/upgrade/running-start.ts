import { Failure } from '#contract/failure.ts';
import { findOwner } from '#service/owner-lock.ts';
import { stateFolderAt } from '#service/state-folder.ts';

/**
 * The process id of the `muster start` of a state folder; undefined if none runs.
 * @throws UPGRADE_NOT_POSSIBLE when it has just begun
 */
export function runningStart(home: string): number | undefined {
  const owner = findOwner(stateFolderAt(home), 'start');
  if (owner === undefined || owner.pid !== undefined) return owner?.pid;
  throw new Failure('UPGRADE_NOT_POSSIBLE', 'Nothing was changed: muster is just starting. Try again in a moment');
}

/** Refuses an installation whose processes run one by one. @throws UPGRADE_NOT_POSSIBLE */
export function requireSeparateUpgrade(home: string): void {
  const folder = stateFolderAt(home);
  if (findOwner(folder, 'start') !== undefined) return;
  const alone = ['registry', 'host'].filter((name) => findOwner(folder, name) !== undefined);
  if (alone.length === 0) return;
  throw new Failure(
    'UPGRADE_NOT_POSSIBLE',
    `Nothing was changed: here \`muster ${alone.join('` and `muster ')}\` runs on its own, and whatever started it has to start it ` +
      'again. Back up (muster backup FILE), install the new version, and restart registries first, then gateways and hosts',
  );
}
