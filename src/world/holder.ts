import { statSync } from 'node:fs';
import type { Holder } from '#contract/wire/host-greeting.ts';
import { bootId } from './boot-id.ts';
import { computerName } from './computer-name.ts';

/**
 * Identifies the machine, and its boot, that uses a state folder. It differs for a copy of the folder, on the same disk
 * or with the whole disk, and stays the same when a process is restarted on the same folder.
 */
export function holderOf(stateFolder: string): Holder {
  const { dev, ino } = statSync(stateFolder);
  return { machine: computerName(), boot: bootId(), folder: `${dev}:${ino}`, path: stateFolder };
}
