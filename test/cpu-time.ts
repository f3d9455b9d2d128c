import { readFileSync } from 'node:fs';

/** The unit in which Linux counts, in milliseconds. */
const tickMs = 10;

/**
 * The processor time in milliseconds that this process has used, and all that it started and that have ended since; on
 * a system other than Linux its own alone. A daemon that outlives its parent, such as a tmux server, has no parent
 * and not in it.
 */
export function cpuTime(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  // The name of the program, which may hold anything, ends at the last bracket: utime, stime, cutime and cstime follow.
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * tickMs;
}
