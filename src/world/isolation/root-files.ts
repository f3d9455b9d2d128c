import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readKernelText } from '#world/process/memory-limit.ts';
import type { Mount } from './mount.ts';

/**
 * Folders with settings, passwords and keys of the system and of programs beside it, and how many folders deep they are searched:
 * installations have too many.
 */
const settings = { '/etc': Number.POSITIVE_INFINITY, '/usr/local/etc': Number.POSITIVE_INFINITY, '/opt': 1 };

/** For how long what is hidden counts, in milliseconds: a launch asks twice, and settings rarely change. */
const hiddenMs = 10_000;
let hidden: { readonly mounts: readonly Mount[]; readonly at: number } | undefined;

/**
 * Hides what not everybody may read of settings, such as passwords and the keys of servers, if this process may:
 * as root, whose programs own these files also without capabilities, or as a member of a group.
 */
export function closedFilesHidden(): readonly Mount[] {
  if (hidden === undefined || performance.now() - hidden.at > hiddenMs)
    hidden = {
      mounts: Object.entries(settings).flatMap(([folder, depth]) => hiddenIn(folder, depth)),
      at: performance.now(),
    };
  // Nothing can be mounted over what is gone meanwhile.
  return hidden.mounts.filter(({ at }) => existsSync(at));
}

function hiddenIn(folder: string, depth: number): Mount[] {
  if (depth < 0 || !existsSync(folder)) return [];
  try {
    return closedIn(folder, depth);
  } catch {
    // Others may read this folder, but not this process.
    return [{ at: folder, access: 'empty' }];
  }
}

function closedIn(folder: string, depth: number): Mount[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): Mount[] => {
    const at = join(folder, entry.name);
    if (!entry.isDirectory() && !entry.isFile()) return [];
    const mode = statSync(at, { throwIfNoEntry: false })?.mode;
    if (mode === undefined) return [];
    const open = entry.isFile() ? 0o004 : 0o005;
    if ((mode & open) === open) return entry.isFile() ? [] : hiddenIn(at, depth - 1);
    if (!isOpenToUs(at)) return [];
    return [entry.isFile() ? { at, from: '/dev/null', access: 'read' } : { at, access: 'empty' }];
  });
}

/** Whether this process may read a file, or find files in a folder by their names. */
function isOpenToUs(path: string): boolean {
  return [constants.R_OK, constants.X_OK].some((mode) => {
    try {
      accessSync(path, mode);
      return true;
    } catch {
      return false;
    }
  });
}

/** The host's programs that make mounts, by their paths: the PATH of an agent may lead to others, which would run as root. */
export interface DevicePrograms {
  readonly unshare?: string | undefined;
  readonly mount?: string | undefined;
}

/** The bit of the capability with which a process makes mounts. */
const mayMount = 1n << 21n;

/**
 * The start of a command line whose program cannot change who may use the devices of the host. bubblewrap shows those of the host,
 * and root owns them also without capabilities. So it takes them from a read-only /dev, where they can still be used.
 */
export function devicesKept({ unshare = '/usr/bin/unshare', mount = '/usr/bin/mount' }: DevicePrograms): string[] {
  const [, capabilities = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readKernelText('/proc/self/status') ?? '') ?? [];
  if (process.getuid?.() !== 0 || (BigInt(`0x${capabilities}`) & mayMount) === 0n) return [];
  return [unshare, '--mount', '/bin/sh', '-c', ownDevices, 'devices', mount];
}

const ownDevices = 'mount=$1; shift; "$mount" --rbind /dev /dev && "$mount" -o remount,bind,ro /dev && exec "$@"';
