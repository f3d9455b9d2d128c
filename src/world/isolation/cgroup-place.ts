import { accessSync, constants, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type ReadKernelText, readKernelText } from '#world/process/memory-limit.ts';

/** How the name of the group around those of a host’s agents begins. */
export const groupPrefix = 'muster-';

/** The controllers of control groups that limits need. That of processors is used where it is there. */
const controllers = ['memory', 'pids'] as const;
type Controller = (typeof controllers)[number];

/** The folders of a control group, which are one and the same in version 2. */
export type CgroupFolders = Readonly<Record<Controller, string>> & { readonly cpu?: string | undefined };

/** Each folder of a control group once. */
export function eachFolder({ memory, pids, cpu = memory }: CgroupFolders): string[] {
  return [...new Set([memory, pids, cpu])];
}

/** A control group, and the version of control groups that it is of. */
export interface CgroupPlace {
  readonly version: 1 | 2;
  readonly folders: CgroupFolders;
}

/** The group of a process, and in version 2 the folder at the top of all groups that are seen here. */
interface ProcessGroup extends CgroupPlace {
  readonly top?: string;
}

/**
 * The group in which this process may make others: its own one or, in version 2, the nearest one around it that has no
 * processes itself. Returns why there is none, and what to do about it.
 */
export function findCgroupPlace(read: ReadKernelText = readKernelText): CgroupPlace | string {
  if (process.platform !== 'linux') return `this host runs ${process.platform}, which has no control groups: use Linux`;
  const own = cgroupOf('self', read);
  if (own === undefined) return 'this host has no control groups for memory and pids: mount them in /sys/fs/cgroup';
  if (own.version === 2) return unifiedPlace(own);
  const { memory, pids, cpu } = own.folders;
  const closed = [memory, pids].find((folder) => !isWritable(folder));
  if (closed === undefined) return { ...own, folders: { memory, pids, ...(cpu && isWritable(cpu) && { cpu }) } };
  return `control group ${closed} is not this user’s: run this host as root, or use control groups of version 2`;
}

/** The control group of a process; undefined if there are none for both controllers. */
export function cgroupOf(pid: number | 'self', read: ReadKernelText = readKernelText): ProcessGroup | undefined {
  const mounts = (read('/proc/self/mountinfo') ?? '').split('\n').flatMap(mountIn);
  const groups = (read(`/proc/${pid}/cgroup`) ?? '').split('\n').flatMap(groupIn);
  const [memory, pids, cpu] = [...controllers, 'cpu'].map((controller) => {
    const path = groups.find(({ names }) => names.includes(controller))?.path;
    const mount = mounts.find(({ type, options }) => type === 'cgroup' && options.includes(controller));
    return path === undefined || mount === undefined ? undefined : folderOf(mount, path);
  });
  if (memory !== undefined && pids !== undefined) return { version: 1, folders: { memory, pids, cpu } };
  const path = groups.find(({ names }) => names.length === 0)?.path;
  const mount = mounts.find(({ type }) => type === 'cgroup2');
  if (memory !== undefined || pids !== undefined || path === undefined || mount === undefined) return undefined;
  const folder = folderOf(mount, path);
  return { version: 2, folders: { memory: folder, pids: folder }, top: mount.folder };
}

/** A group with processes passes no controllers on, so those around it are tried too. */
function unifiedPlace({ folders: { memory: own }, top }: ProcessGroup): CgroupPlace | string {
  for (let folder = own; folder.startsWith(top ?? '/'); folder = dirname(folder)) {
    // The limits of an agent that runs muster itself hold for the agents of that muster, too.
    if (basename(folder).startsWith(groupPrefix)) break;
    if (passesOn(folder)) return unified(folder);
    if (folder === dirname(folder)) break;
  }
  return (
    `neither control group ${own} nor one around it is this user’s and passes memory and pids on: start muster by \`muster service ` +
    'install`, by `systemd-run --user --scope`, or in a unit with Delegate=yes and DelegateSubgroup=muster'
  );
}

/** A group of version 2 that passes controllers on. */
export function unified(folder: string): CgroupPlace {
  const hasCpu = wordsIn(folder, 'cgroup.subtree_control').includes('cpu');
  return { version: 2, folders: { memory: folder, pids: folder, ...(hasCpu && { cpu: folder }) } };
}

/**
 * Whether groups with both controllers can be made in a group of version 2. Has it pass them on if it does not yet, with that
 * of processors if there is one.
 */
export function passesOn(folder: string): boolean {
  if (!isWritable(folder)) return false;
  const there = wordsIn(folder, 'cgroup.controllers');
  if (!controllers.every((controller) => there.includes(controller))) return false;
  if (there.includes('cpu') && passOn(folder, [...controllers, 'cpu'])) return true;
  return passOn(folder, controllers);
}

function passOn(folder: string, wanted: readonly string[]): boolean {
  const file = 'cgroup.subtree_control';
  const passed = wordsIn(folder, file);
  if (wanted.every((controller) => passed.includes(controller))) return true;
  try {
    writeFileSync(join(folder, file), wanted.map((controller) => `+${controller}`).join(' '));
    return true;
  } catch {
    return false;
  }
}

function wordsIn(folder: string, file: string): string[] {
  return (readKernelText(join(folder, file)) ?? '').trim().split(/\s+/);
}

/** Whether this process may make groups in a group, and move processes between them. */
function isWritable(folder: string): boolean {
  try {
    for (const path of [folder, join(folder, 'cgroup.procs')]) accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

interface CgroupMount {
  /** The group that is at the top of the mount. */
  readonly root: string;
  readonly folder: string;
  readonly type: string;
  readonly options: readonly string[];
}

function folderOf({ root, folder }: CgroupMount, path: string): string {
  const below = root !== '/' && path.startsWith(root) ? path.slice(root.length) : path;
  return join(folder, below).replace(/(?<=.)\/$/, '');
}

function groupIn(line: string): { readonly names: readonly string[]; readonly path: string }[] {
  const [, names = '', path] = /^[0-9]+:([^:]*):(.*)$/.exec(line) ?? [];
  return path === undefined ? [] : [{ names: names.split(',').filter(Boolean), path }];
}

function mountIn(line: string): CgroupMount[] {
  const [before = '', after = ''] = line.split(' - ');
  const [, , , root = '/', folder = ''] = before.split(' ');
  const [type = '', , options = ''] = after.split(' ');
  return type.startsWith('cgroup') ? [{ root, folder, type, options: options.split(',') }] : [];
}
