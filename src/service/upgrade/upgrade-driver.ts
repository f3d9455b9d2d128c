import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { databaseIn } from '#actors/registry/installation-files.ts';
import { Failure } from '#contract/failure.ts';
import { type OwnerLock, takeOwnerLock } from '#service/owner-lock.ts';
import { stateFolderAt } from '#service/state-folder.ts';
import { copyDatabase } from '#store/sqlite/database-copy.ts';
import { replaceProcess } from '#world/process/replace-process.ts';
import { driverArgv, driverLock, inProgress } from './driver-program.ts';
import { clearLeftovers, linkAsInstalled, programFolders, switchPrograms } from './program-folders.ts';
import {
  readUpgrade,
  stoppedDatabaseIn,
  type UpgradeRecord,
  unfinishedUpgrade,
  writeUpgrade,
} from './upgrade-record.ts';
import { returnToPrevious, whileStopped } from './upgrade-return.ts';
import { givesWayStatus, type StartTrial, tryStart } from './upgrade-trial.ts';

/**
 * Exchanges the programs of a prepared upgrade, runs the new version in place of this process, and returns to the previous one if
 * that does not get ready. The copy of the previous program runs this. Returns the exit status.
 */
export async function driveUpgrade(home: string): Promise<number> {
  const lock = takeDriverLock(home);
  const record = readUpgrade(home);
  if (lock === undefined || record?.phase !== 'prepared') {
    lock?.release();
    return startAgain(record?.folder);
  }
  const trial = await exchange(home, record).then(
    () => tryStart(record.folder),
    (error: unknown) => ({ why: error instanceof Error ? error.message : String(error) }),
  );
  if ('why' in trial) return giveUp(home, record, trial.why, lock);
  const isStopped = forwardSignals(trial);
  const why = await trial.outcome;
  if (why === undefined && !isStopped()) {
    complete(home, record);
    lock.release();
    return waitFor(home, trial);
  }
  await trial.stop();
  if (!isStopped()) return giveUp(home, record, why ?? 'it ended', lock);
  await returnNow(home, record, 'muster was stopped meanwhile');
  lock.release();
  return 0;
}

/** Returns to the previous version, and runs it in place of this process. */
async function giveUp(home: string, record: UpgradeRecord, why: string, lock: OwnerLock): Promise<number> {
  process.stderr.write(`muster ${record.to} did not get ready: ${why}\nReturning to muster ${record.from} …\n`);
  await returnNow(home, record, why).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  });
  lock.release();
  return startAgain(record.folder);
}

function returnNow(home: string, record: UpgradeRecord, why: string): Promise<UpgradeRecord> {
  return whileStopped(home, () => returnToPrevious(home, record, why));
}

/** Exchanges the programs of a prepared upgrade while nothing runs. The copy of the previous program runs this. */
export async function exchangeOnly(home: string): Promise<number> {
  const lock = takeOwnerLock(stateFolderAt(home), driverLock);
  const record = readUpgrade(home);
  if (record?.phase === 'prepared') {
    await exchange(home, record);
    complete(home, record);
  }
  lock.release();
  return 0;
}

/**
 * Undoes an upgrade that was interrupted. The copy of the previous program runs this.
 * @throws UPGRADE_UNFINISHED when it is still in progress
 */
export async function recoverUpgrade(home: string): Promise<number> {
  const lock = takeDriverLock(home);
  if (lock === undefined) throw inProgress();
  const record = unfinishedUpgrade(home);
  if (record !== undefined) await returnNow(home, record, 'it was interrupted');
  lock.release();
  return 0;
}

/** Takes the lock of the driver; undefined if another process has it. */
export function takeDriverLock(home: string): OwnerLock | undefined {
  try {
    return takeOwnerLock(stateFolderAt(home), driverLock);
  } catch (error) {
    if (error instanceof Failure && error.isFor('ALREADY_RUNNING')) return undefined;
    throw error;
  }
}

async function exchange(home: string, record: UpgradeRecord): Promise<void> {
  await whileStopped(home, () => {
    const copy = stoppedDatabaseIn(home);
    rmSync(copy, { force: true });
    if (record.changesTables) copyDatabase(databaseIn(home), copy);
    writeUpgrade(home, { ...record, phase: 'switching' });
    const folders = programFolders(record.folder, record.prefix);
    switchPrograms(folders);
    linkAsInstalled(folders);
    writeUpgrade(home, { ...record, phase: 'switched' });
  });
}

function complete(home: string, record: UpgradeRecord): void {
  writeUpgrade(home, { ...record, phase: 'upgraded' });
  rmSync(stoppedDatabaseIn(home), { force: true });
  clearLeftovers(programFolders(record.folder, record.prefix));
}

/** Passes on requests to stop; returns whether there was one. */
function forwardSignals(trial: StartTrial): () => boolean {
  let isStopped = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      isStopped = true;
      void trial.stop();
    });
  }
  return () => isStopped;
}

/** Waits for the end of the new version, which may give way to the next upgrade. */
async function waitFor(home: string, trial: StartTrial): Promise<number> {
  const status = await trial.ended;
  const next = status === givesWayStatus ? unfinishedUpgrade(home) : undefined;
  return next === undefined ? status : replaceProcess(driverArgv(next, '--drive'));
}

/** Starts what is installed in place of this process. */
function startAgain(folder: string | undefined): number {
  if (folder === undefined) return 1;
  return replaceProcess([process.execPath, join(folder, 'bin', 'muster.mjs'), 'start']);
}
