import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readKernelText } from '#world/process/memory-limit.ts';
import type { Mount } from './mount.ts';

/** The folder of the system's settings, with its passwords and keys. */
const settings = '/etc';

/**
 * Hides what only root may read of the system's settings, such as passwords and the keys of servers. A muster that root runs
 * would show it: an isolated program has no capabilities, but it is still the owner of these files.
 */
export function rootFilesHidden(): Mount[] {
  return process.getuid?.() === 0 ? hiddenIn(settings) : [];
}

function hiddenIn(folder: string): Mount[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): Mount[] => {
    const at = join(folder, entry.name);
    if (!entry.isDirectory() && !entry.isFile()) return [];
    const mode = statSync(at, { throwIfNoEntry: false })?.mode;
    if (mode === undefined) return [];
    if (entry.isFile()) return (mode & 0o004) === 0 ? [{ at, from: '/dev/null', access: 'read' }] : [];
    return (mode & 0o005) === 0o005 ? hiddenIn(at) : [{ at, access: 'empty' }];
  });
}

/** The bit of the capability with which a process makes mounts. */
const mayMount = 1n << 21n;

/**
 * The start of a command line whose program cannot change who may use the devices of the host. bubblewrap shows those of the host,
 * and root owns them also without capabilities. So it takes them from a read-only /dev, where they can still be used.
 */
export function devicesKept(): string[] {
  const [, capabilities = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readKernelText('/proc/self/status') ?? '') ?? [];
  if (process.getuid?.() !== 0 || (BigInt(`0x${capabilities}`) & mayMount) === 0n) return [];
  return ['/usr/bin/unshare', '--mount', '/bin/sh', '-c', ownDevices, 'devices'];
}

const ownDevices = 'mount --rbind /dev /dev && mount -o remount,bind,ro /dev && exec "$@"';
