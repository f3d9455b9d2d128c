import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '#contract/failure.ts';
import { findOwner } from '#service/owner-lock.ts';
import { stateFolderAt } from '#service/state-folder.ts';
import { driverArgv, driverLock } from './driver-program.ts';
import { readUpgrade, type UpgradeRecord } from './upgrade-record.ts';

/** How often the record is read, in milliseconds. */
const everyMs = 100;
/** How long an upgrade may take from the moment at which everything stops, in milliseconds. */
const withinMs = 5 * 60_000;
/** How long nobody may work on it before it counts as interrupted, in milliseconds. */
const idleMs = 10_000;

/**
 * Waits until another process has completed an upgrade. If that process dies, the upgrade is undone.
 * @throws UPGRADE_RETURNED when the previous version is back; UPGRADE_UNFINISHED when it has no end in time
 */
export async function awaitUpgrade(home: string, { from, to }: UpgradeRecord): Promise<void> {
  const deadline = performance.now() + withinMs;
  let workedAt = performance.now();
  for (;;) {
    const record = readUpgrade(home);
    const isOver = record === undefined || record.phase === 'upgraded' || record.phase === 'returned';
    if (isOver && findOwner(stateFolderAt(home), driverLock) === undefined) {
      if (record?.phase === 'upgraded') return;
      throw returned(from, to, record?.why);
    }
    const now = performance.now();
    if (isOver || isAtWork(home)) workedAt = now;
    else if (now - workedAt > idleMs) {
      const [program, ...args] = driverArgv(record, '--recover');
      spawnSync(program, args, { stdio: 'inherit' });
    }
    if (now > deadline) {
      throw new Failure(
        'UPGRADE_UNFINISHED',
        `The upgrade to muster ${to} has not ended within ${withinMs / 60_000} minutes: \`muster start\`, once it does not run any ` +
          'more, or `muster upgrade` undoes it',
      );
    }
    await delay(everyMs);
  }
}

function isAtWork(home: string): boolean {
  const folder = stateFolderAt(home);
  return findOwner(folder, driverLock) !== undefined || findOwner(folder, 'start') !== undefined;
}

function returned(from: string, to: string, why = 'it was interrupted'): Failure {
  return new Failure(
    'UPGRADE_RETURNED',
    `muster ${to} did not get ready, so muster ${from} is back, with the database as it was: ${why}`,
  );
}
