import { replaceProcess } from '#world/process/replace-process.ts';
import { driverArgv } from './driver-program.ts';
import { readUpgrade } from './upgrade-record.ts';
import { givesWayStatus, type StartMessage } from './upgrade-trial.ts';

/** Whether an upgrade waits for `muster start` to stop. */
export function isUpgradePrepared(home: string): boolean {
  return readUpgrade(home)?.phase === 'prepared';
}

/**
 * Gives way to a prepared upgrade, once everything has stopped. The process that tries this version, if there is one, continues;
 * otherwise this process becomes the upgrade. `url` is the address that agents know. Returns the exit status.
 */
export function giveWay(home: string, url: string | undefined): number {
  const record = readUpgrade(home);
  if (record === undefined || process.connected) return givesWayStatus;
  // Any free port was wanted: agents keep the address that they were given.
  if (url !== undefined && process.env['MUSTER_PORT'] === '0') process.env['MUSTER_PORT'] = new URL(url).port;
  return replaceProcess(driverArgv(record, '--drive'));
}

/** Sends a message to the process that tries this version, if there is one. */
export function tellStarter(message: StartMessage): void {
  if (process.connected) process.send?.(message);
}
