import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Limits } from '#contract/host/limits.ts';
import { readKernelText } from '#world/process/memory-limit.ts';
import { type CgroupFolders, type CgroupPlace, eachFolder } from './cgroup-place.ts';

/** The limits that the kernel holds by a control group. */
export type HeldLimits = Pick<Limits, 'memoryMib' | 'maxProcesses' | 'cpuPercent'>;

export const mebibyte = 1024 ** 2;
/** How long the processes of a group may take to end, and how often to look, in milliseconds. */
const endMs = 5_000;
const lookEvery = 20;
/** The time over which the kernel holds a limit of processors, in microseconds. */
const periodUs = 100_000;

/** A control group, by which the kernel limits the processes of one agent together. */
export class Cgroup {
  readonly #version: CgroupPlace['version'];
  readonly #folders: CgroupFolders;

  constructor({ version, folders }: CgroupPlace, name: string) {
    this.#version = version;
    const { memory, pids, cpu } = folders;
    this.#folders = { memory: join(memory, name), pids: join(pids, name), ...(cpu && { cpu: join(cpu, name) }) };
  }

  /** The files to which a process writes its id to join the group. */
  get joins(): string[] {
    return this.#each.map((folder) => join(folder, 'cgroup.procs'));
  }

  /** Whether it limits processors. Then each group also gets an equal share of them. */
  get limitsProcessors(): boolean {
    return this.#folders.cpu !== undefined;
  }

  /** Makes the group unless it is there, and sets its limits. */
  make({ memoryMib, maxProcesses, cpuPercent }: HeldLimits): void {
    for (const folder of this.#each) mkdirSync(folder, { recursive: true });
    const { memory, pids, cpu } = this.#folders;
    const bytes = memoryMib ? String(memoryMib * mebibyte) : undefined;
    if (this.#version === 2) {
      writeFileSync(join(memory, 'memory.max'), bytes ?? 'max');
      writeExisting(join(memory, 'memory.swap.max'), bytes === undefined ? 'max' : '0');
      // The kernel then ends the whole group, not one process of it.
      writeExisting(join(memory, 'memory.oom.group'), '1');
    } else {
      // The limit with swap may never be the lower one, so it is lifted first.
      writeExisting(join(memory, 'memory.memsw.limit_in_bytes'), '-1');
      writeFileSync(join(memory, 'memory.limit_in_bytes'), bytes ?? '-1');
      writeExisting(join(memory, 'memory.memsw.limit_in_bytes'), bytes ?? '-1');
    }
    writeFileSync(join(pids, 'pids.max'), maxProcesses ? String(maxProcesses) : 'max');
    if (cpu !== undefined) this.#limitProcessors(cpu, cpuPercent ? (cpuPercent * periodUs) / 100 : undefined);
  }

  #limitProcessors(folder: string, quotaUs: number | undefined): void {
    // Not every kernel can limit processors, which only those who want that need to know.
    const write = quotaUs === undefined ? writeExisting : writeFileSync;
    if (this.#version === 2) {
      write(join(folder, 'cpu.max'), `${quotaUs ?? 'max'} ${periodUs}`);
    } else {
      write(join(folder, 'cpu.cfs_period_us'), String(periodUs));
      write(join(folder, 'cpu.cfs_quota_us'), String(quotaUs ?? -1));
    }
  }

  /** The limit that its processes exceeded; undefined if there is none. */
  exceeded(): keyof HeldLimits | undefined {
    return exceededIn(this.#folders);
  }

  /** Ends every process in it, and removes it. Returns whether it is gone. */
  async remove(): Promise<boolean> {
    writeExisting(join(this.#folders.pids, 'pids.max'), '0');
    writeExisting(join(this.#folders.pids, 'cgroup.kill'), '1');
    for (const end = performance.now() + endMs; performance.now() < end; await pause(lookEvery)) {
      for (const pid of new Set(this.#each.flatMap(pidsIn))) kill(pid);
      if (this.removeEmpty()) return true;
    }
    return false;
  }

  /** Removes it if no process is in it. Returns whether it is gone. */
  removeEmpty(): boolean {
    return this.#each.filter((folder) => !removeFolder(folder)).length === 0;
  }

  get #each(): string[] {
    return eachFolder(this.#folders);
  }
}

/** The limit that the processes of a group exceeded; undefined if there is none, or if the group is gone. */
export function exceededIn({ memory, pids }: CgroupFolders): keyof HeldLimits | undefined {
  // Engines put the processes of a container into a group inside the one that has the limits.
  const withAround = (folder: string) => (basename(folder) === 'container' ? [folder, dirname(folder)] : [folder]);
  if (withAround(memory).some(isOutOfMemory)) return 'memoryMib';
  return withAround(pids).some((folder) => countIn(join(folder, 'pids.events'), 'max') > 0)
    ? 'maxProcesses'
    : undefined;
}

/**
 * Whether the kernel ended a process because the group’s own limit was met: it also ends some when the whole computer is
 * out of memory.
 */
function isOutOfMemory(folder: string): boolean {
  const events = join(folder, 'memory.events');
  if (existsSync(events)) return countIn(events, 'oom') > 0 && countIn(events, 'oom_kill') > 0;
  const bytesIn = (name: string) => Number(readKernelText(join(folder, name)) ?? 0);
  const isMet = bytesIn('memory.max_usage_in_bytes') >= bytesIn('memory.limit_in_bytes') - mebibyte;
  return isMet && countIn(join(folder, 'memory.oom_control'), 'oom_kill') > 0;
}

function countIn(file: string, name: string): number {
  return Number(new RegExp(`^${name} ([0-9]+)$`, 'm').exec(readKernelText(file) ?? '')?.[1] ?? 0);
}

/** The processes of a group, and of groups that they made in it. Those of other namespaces of processes count as 0. */
function pidsIn(folder: string): number[] {
  const own = (readKernelText(join(folder, 'cgroup.procs')) ?? '').split('\n').map(Number);
  return [...own.filter((pid) => pid > 1 && pid !== process.pid), ...groupsIn(folder).flatMap(pidsIn)];
}

/** The groups directly in a group. */
export function groupsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

/** Removes a group without processes. Returns whether it is gone. */
export function removeFolder(folder: string): boolean {
  try {
    for (const one of groupsIn(folder)) removeFolder(one);
    rmdirSync(folder);
  } catch {
    // It is gone already, or a process is in it.
  }
  return !existsSync(folder);
}

/** Writes to a file that not every kernel has, or that is gone with its group. */
function writeExisting(file: string, text: string): void {
  if (existsSync(file)) writeFileSync(file, text);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
