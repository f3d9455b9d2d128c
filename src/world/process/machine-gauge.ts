import { statfs } from 'node:fs/promises';
import { cpus, freemem, loadavg, totalmem } from 'node:os';
import { dirname } from 'node:path';
import type { MachineLoad } from '#contract/wire/host-condition.ts';
import { systemTimer, type Timer } from '#world/concurrency/timer.ts';
import { freeShare, type MemoryUse, memoryLimit } from './memory-limit.ts';

/**
 * How long a disk may take to report how full it is, in milliseconds: a network disk may hang forever.
 */
const diskMs = 1_000;

/** The parts of a system that show its load. */
export interface LoadSystem {
  readonly platform: NodeJS.Platform;
  readonly cpuCount: () => number;
  readonly loadAverage1m: () => number;
  readonly totalBytes: () => number;
  /** The memory available to programs; on systems other than Linux, without what caches could give up. */
  readonly freeBytes: () => number;
  readonly memoryLimit: () => MemoryUse | undefined;
  readonly statfs: (path: string) => Promise<{ bsize: number; blocks: number; bavail: number }>;
}

/** This machine's own. */
const ownSystem: LoadSystem = {
  platform: process.platform,
  cpuCount: () => cpus().length,
  loadAverage1m: () => loadavg()[0] ?? 0,
  totalBytes: totalmem,
  freeBytes: freemem,
  memoryLimit,
  statfs: (path) => statfs(path),
};

/** Measures how loaded this machine is. */
export class MachineGauge {
  readonly #folder: string;
  readonly #system: LoadSystem;
  readonly #clock: Timer;
  /** Read once: it never changes, and asking walks through a table of all processors. */
  readonly #cpuCount: number;
  /** The pending request to the disk: there is never a second one at the same time. */
  #asked: Promise<DiskUse | undefined> | undefined;

  /** `folder` is on the disk to measure. If it does not exist yet, its nearest existing parent is used. */
  constructor(folder: string, system: LoadSystem = ownSystem, clock: Timer = systemTimer) {
    this.#folder = folder;
    this.#system = system;
    this.#clock = clock;
    this.#cpuCount = system.cpuCount();
  }

  /** The current load, measured within a second. Never fails: what cannot be measured is left out. */
  async read(): Promise<MachineLoad> {
    const disk = await this.#disk();
    return { ...this.#processors(), ...this.#memory(), ...disk };
  }

  #processors(): MachineLoad {
    const { platform, loadAverage1m } = this.#system;
    // Windows has no load average: Node returns 0 there.
    if (this.#cpuCount === 0 || platform === 'win32') return {};
    return { loadAverage1m: Math.round(loadAverage1m() * 100) / 100, cpuCount: this.#cpuCount };
  }

  #memory(): MachineLoad {
    const { platform, totalBytes, freeBytes, memoryLimit: limit } = this.#system;
    // Elsewhere Node's free memory does not include what caches would give up: most machines would seem full.
    if (platform !== 'linux') return { memoryTotalBytes: totalBytes() };
    const machine = { usedBytes: Math.max(0, totalBytes() - freeBytes()), totalBytes: totalBytes() };
    const limited = limit();
    const use = limited !== undefined && freeShare(limited) < freeShare(machine) ? limited : machine;
    return { memoryUsedBytes: use.usedBytes, memoryTotalBytes: use.totalBytes };
  }

  async #disk(): Promise<MachineLoad> {
    this.#asked ??= diskUse(this.#system, this.#folder).finally(() => {
      this.#asked = undefined;
    });
    const done = new AbortController();
    const late = this.#clock.sleep(diskMs, done.signal).catch(() => undefined);
    const use = await Promise.race([this.#asked, late]);
    done.abort();
    return use ?? {};
  }
}

type DiskUse = Required<Pick<MachineLoad, 'diskFreeBytes' | 'diskTotalBytes'>>;

async function diskUse(system: LoadSystem, folder: string): Promise<DiskUse | undefined> {
  try {
    const { bsize, blocks, bavail } = await system.statfs(folder);
    const [diskFreeBytes, diskTotalBytes] = [bsize * bavail, bsize * blocks];
    // File systems that are not disks report 0, or impossibly large numbers.
    const isKnown = diskTotalBytes > 0 && Number.isSafeInteger(diskTotalBytes) && diskFreeBytes <= diskTotalBytes;
    return isKnown ? { diskFreeBytes, diskTotalBytes } : undefined;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing && dirname(folder) !== folder ? diskUse(system, dirname(folder)) : undefined;
  }
}
