import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { findOwner } from '#service/owner-lock.ts';
import { stateFolderAt } from '#service/state-folder.ts';
import { replaceProcess } from '#world/process/replace-process.ts';
import { driverArgv, driverLock, inProgress } from './driver-program.ts';
import { programFolders } from './program-folders.ts';
import { type UpgradeRecord, unfinishedUpgrade } from './upgrade-record.ts';

/**
 * Undoes an upgrade that was interrupted after its programs may have been exchanged, and then runs the previous program with the
 * same arguments in place of this process. Does nothing if there was none.
 * @throws UPGRADE_UNFINISHED when it is still in progress, or when the copy of the previous program is missing
 */
export function undoInterruptedUpgrade(home: string, args: readonly string[]): void {
  const record = unfinishedUpgrade(home);
  if (record === undefined || record.phase === 'prepared') return;
  if (findOwner(stateFolderAt(home), driverLock) !== undefined) throw inProgress();
  requirePrevious(record);
  process.stderr.write(`The upgrade to muster ${record.to} was interrupted: returning to ${record.from} …\n`);
  const [program, ...recover] = driverArgv(record, '--recover');
  const { status } = spawnSync(program, recover, { stdio: 'inherit' });
  if (status !== 0) throw new Failure('UPGRADE_UNFINISHED', 'The interrupted upgrade was not undone: see above');
  replaceProcess([process.execPath, join(record.folder, 'bin', 'muster.mjs'), ...args]);
}

function requirePrevious({ from, to, folder, prefix }: UpgradeRecord): void {
  const { previous } = programFolders(folder, prefix);
  if (existsSync(previous)) return;
  throw new Failure(
    'UPGRADE_UNFINISHED',
    `The upgrade from muster ${from} to ${to} was interrupted, and ${previous}, which undoes it, is missing. Install ${from} with ` +
      `\`npm install --global @muster-fleet/muster@${from}\`, and remove upgrades/last.json from the state folder`,
  );
}
