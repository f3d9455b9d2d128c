import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { splitCores } from '../stage/cores.ts';
import { processesOf } from '../stage/cpu.ts';
import { type BenchInstallation, install } from '../stage/installation.ts';
import type { Load, Outcome } from './load-generator.ts';

/** How long a load is measured, and how long it runs before that, in milliseconds. */
export const forMs = 6_000;
const warmMs = 1_500;

/** An installation and its callers, on separate cores if the machine allows it. */
export interface Stage {
  readonly muster: BenchInstallation;
  /** The processes of the installation. */
  readonly service: readonly number[];
  /** How the cores are assigned, in words. */
  readonly cores: string;
  /** Runs a load on the installation, by default over 1,000 connections. */
  load(more: Partial<Load>): Promise<Outcome>;
  /**
   * Measures how much other programs use of the service's core and of the callers' until the returned function is
   * called, in words.
   */
  others(): () => string;
  /** The gateway's resident memory, in MiB. */
  memory(): number;
  /** Starts a program of this folder on the callers' core. */
  start(program: string): ChildProcess;
  close(): Promise<void>;
}

/** Starts an installation on a state folder, and a generator of the load that `requestFor` makes. */
export async function openStage(
  home: string,
  requestFor: (muster: BenchInstallation) => Promise<Buffer>,
): Promise<Stage> {
  const cores = splitCores();
  const muster = await install(home, 'idle');
  const service = processesOf(/muster\.mjs|idle-host|nats-server/, home);
  cores.serve(service);
  cores.call(process.pid);
  const callers: number[] = [];
  const start = (program: string): ChildProcess => {
    const child = fork(fileURLToPath(new URL(`./${program}.ts`, import.meta.url)));
    if (child.pid !== undefined) {
      cores.call(child.pid);
      callers.push(child.pid);
    }
    return child;
  };
  const generator = start('load-generator');
  const request = (await requestFor(muster)).toString('latin1');
  const [gateway] = processesOf(/muster\.mjs gateway/, home);
  return {
    muster,
    service,
    cores: cores.words,
    start,
    load: (more) => ask(generator, { url: muster.url, request, connections: 1_000, forMs, warmMs, ...more }),
    others() {
      const shares = cores.othersBeside(service, [process.pid, ...callers]);
      return () =>
        shares()
          .map((share) => `${(100 * share).toFixed(0)} %`)
          .join(', ');
    },
    memory: () => residentMebibytes(gateway),
    async close() {
      generator.disconnect();
      await muster.stop();
    },
  };
}

async function ask(generator: ChildProcess, load: Load): Promise<Outcome> {
  generator.send(load);
  const [outcome] = (await once(generator, 'message')) as [Outcome];
  return outcome;
}

function residentMebibytes(pid: number | undefined): number {
  const [, kibibytes = '0'] = /^VmRSS:\s+([0-9]+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}
