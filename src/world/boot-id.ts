import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

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
