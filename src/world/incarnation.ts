import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import type { Holder } from '#contract/wire/host-greeting.ts';
import { computerName } from './computer-name.ts';

/**
 * Identifies the machine, and its boot, that uses a state folder. It differs for a copy of the folder, on the same disk
 * or with the whole disk, and stays the same when a process is restarted on the same folder.
 */
export function holderOf(stateFolder: string): Holder {
  const { dev, ino } = statSync(stateFolder);
  return { machine: computerName(), boot: bootId(), folder: `${dev}:${ino}`, path: stateFolder };
}

/** Identifies this boot of the machine; empty if the system has no id for it. */
export function bootId(): string {
  try {
    if (process.platform === 'darwin') {
      return execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).trim();
    }
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
