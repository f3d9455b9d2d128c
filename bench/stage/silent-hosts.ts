import { processesOf } from './cpu.ts';
import type { Fleet } from './fleet.ts';

/** Does something while the process that simulates a fleet's hosts stands still. */
export async function withSilentHosts<Result>({ home }: Fleet, work: () => Promise<Result>): Promise<Result> {
  const pids = processesOf(/fleet-host/, home);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
}
