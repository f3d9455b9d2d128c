import { processesOf } from './cpu.ts';
import type { Fleet } from './fleet.ts';

/** Runs work while the process that simulates the hosts is suspended. */
export async function withSilentHosts<Result>({ home }: Fleet, work: () => Promise<Result>): Promise<Result> {
  const pids = processesOf(/fleet-host/, home);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
}
