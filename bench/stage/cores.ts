import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { cpuOf } from './cpu.ts';

/**
 * Keeps the service on one core and its callers on another, so that they do not slow each other down.
 */
export interface Cores {
  /** How the cores are assigned, in words. */
  readonly words: string;
  /** Pins processes, with all their threads, to the service's core. */
  serve(pids: readonly number[]): void;
  /** Pins a process, with all its threads, to the callers' core. */
  call(pid: number): void;
  /**
   * Measures how much CPU all other processes use from now until the returned function is called, as shares of one core:
   * on the service's core, then on the callers'; or one share of all cores if they are not assigned.
   */
  othersBeside(service: readonly number[], callers: readonly number[]): () => readonly number[];
}

const servicesCore = 0;
const callersCore = 1;

/**
 * Assigns two cores with util-linux's `taskset`. Without it, or with only one core, processes run anywhere.
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

/** Measures the share of a core (of all cores if empty) that processes other than these use. */
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

/** How long a core (all cores if empty) has been busy since boot, in milliseconds. */
function busyMs(core: number | ''): number {
  const [, line = ''] = new RegExp(`^cpu${core} +(.*)`, 'm').exec(readFileSync('/proc/stat', 'utf8')) ?? [];
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = line.split(' ').map(Number);
  return (user + nice + system + irq + softIrq + steal) * 10;
}
