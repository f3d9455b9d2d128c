import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { cpuOf } from './cpu.ts';

/**
 * The service on one core and whoever calls it on another, so that neither is measured by what the other takes from it.
 */
export interface Cores {
  /** How the cores are shared, in words. */
  readonly words: string;
  /** Puts processes with all their threads on the service's core. */
  serve(pids: readonly number[]): void;
  /** Puts a process with all its threads on the callers' core. */
  call(pid: number): void;
  /**
   * Reports what processes other than the service's and its callers' take of each core from now until it is asked, as
   * shares of one core: of the service's first, then of the callers'; of both together if they are not apart.
   */
  othersBeside(service: readonly number[], callers: readonly number[]): () => readonly number[];
}

const servicesCore = 0;
const callersCore = 1;

/**
 * Splits the cores if there are two and util-linux's `taskset`; elsewhere everything shares them, and is informed so.
 */
export function splitCores(): Cores {
  if (availableParallelism() < 2 || !hasTaskset()) {
    return {
      words: 'callers and servers share the cores',
      serve: () => undefined,
      call: () => undefined,
      othersBeside: (service, callers) => sharesFrom([othersOn('', [...service, ...callers])]),
    };
  }
  return {
    words: 'all of the service on one core, its callers on another',
    serve: (pids) => {
      for (const pid of pids) pin(pid, servicesCore);
    },
    call: (pid) => pin(pid, callersCore),
    othersBeside: (service, callers) => sharesFrom([othersOn(servicesCore, service), othersOn(callersCore, callers)]),
  };
}

function sharesFrom(shares: readonly (() => number)[]): () => readonly number[] {
  return () => shares.map((share) => share());
}

/** Which share of a core others than these take, or of one core among all. */
function othersOn(core: number | '', pids: readonly number[]): () => number {
  const [since, busySince, ownSince] = [performance.now(), busyMs(core), cpuOf(pids)];
  return () => Math.max(0, busyMs(core) - busySince - (cpuOf(pids) - ownSince)) / (performance.now() - since);
}

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function pin(pid: number, core: number): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)], { stdio: 'ignore' });
}

/** For how long a core has done anything, or all of them together, in milliseconds. */
function busyMs(core: number | ''): number {
  const [, line = ''] = new RegExp(`^cpu${core} +(.*)`, 'm').exec(readFileSync('/proc/stat', 'utf8')) ?? [];
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = line.split(' ').map(Number);
  return (user + nice + system + irq + softIrq + steal) * 10;
}
