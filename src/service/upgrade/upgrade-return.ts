import { copyFileSync, existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '#contract/failure.ts';
import { placeDatabaseFile, recordRestoreIn } from '#service/backup/placed-database.ts';
import { takeOwnerLock } from '#service/owner-lock.ts';
import { stateFolderAt } from '#service/state-folder.ts';
import { clearLeftovers, programFolders, switchBack } from './program-folders.ts';
import { stoppedDatabaseIn, type UpgradeRecord, upgradesIn, writeUpgrade } from './upgrade-record.ts';

/** The processes that must not run while programs or the database are exchanged. */
const owners = ['start', 'registry', 'host'];
/** How long they may take to end, in milliseconds. */
const endWithinMs = 30_000;

/** Runs work while no process of a state folder runs. @throws ALREADY_RUNNING when one does not end in time */
export async function whileStopped<T>(home: string, work: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + endWithinMs;
  const locks: { release(): void }[] = [];
  try {
    for (const name of owners) locks.push(await takeWhenFree(home, name, deadline));
    return await work();
  } finally {
    for (const lock of locks.toReversed()) lock.release();
  }
}

async function takeWhenFree(home: string, name: string, deadline: number): Promise<{ release(): void }> {
  for (;;) {
    try {
      return takeOwnerLock(stateFolderAt(home), name);
    } catch (error) {
      if (!(error instanceof Failure && error.isFor('ALREADY_RUNNING')) || performance.now() > deadline) throw error;
      await delay(100);
    }
  }
}

/**
 * Puts the previous program back, and the database if the new version may have changed its tables. Everything is stopped. A
 * repetition continues where an interrupted one stopped.
 */
export async function returnToPrevious(home: string, record: UpgradeRecord, why: string): Promise<UpgradeRecord> {
  const folders = programFolders(record.folder, record.prefix);
  const returning: UpgradeRecord = { ...record, phase: 'returning', why: record.why ?? why };
  writeUpgrade(home, returning);
  const copy = stoppedDatabaseIn(home);
  if (record.changesTables && existsSync(copy)) await putDatabaseBack(home, copy);
  switchBack(folders);
  const returned: UpgradeRecord = { ...returning, phase: 'returned' };
  writeUpgrade(home, returned);
  rmSync(copy, { force: true });
  clearLeftovers(folders);
  return returned;
}

async function putDatabaseBack(home: string, copy: string): Promise<void> {
  const takenAt = statSync(copy).mtime.toISOString();
  const draft = join(upgradesIn(home), 'returning.db');
  for (const suffix of ['', '-wal', '-shm', '-digests']) rmSync(`${draft}${suffix}`, { force: true });
  copyFileSync(copy, draft);
  await recordRestoreIn(draft, { takenAt, restoredAt: new Date().toISOString() });
  placeDatabaseFile(home, draft);
}
