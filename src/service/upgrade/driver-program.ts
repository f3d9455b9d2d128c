import { join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { programFolders } from './program-folders.ts';
import type { UpgradeRecord } from './upgrade-record.ts';

/** The lock of the process that exchanges the programs. */
export const driverLock = 'upgrade-driver';

/** A step of an upgrade that the copy of the previous program runs, because the program itself moves away. */
export type DriverStep = '--drive' | '--exchange' | '--recover';

/** The command line of a step. */
export function driverArgv({ folder, prefix }: UpgradeRecord, step: DriverStep): [string, ...string[]] {
  const { previous } = programFolders(folder, prefix);
  return [process.execPath, join(previous, 'bin', 'muster.mjs'), 'upgrade', step];
}

/** An upgrade is in progress. */
export function inProgress(): Failure {
  return new Failure(
    'UPGRADE_UNFINISHED',
    'An upgrade of this installation is in progress: wait until it is done, and try again',
  );
}
