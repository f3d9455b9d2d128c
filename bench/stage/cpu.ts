import { readdirSync, readFileSync } from 'node:fs';

/**
 * The CPU time that processes and their ended children have used so far, in milliseconds.
 */
export function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + own(pid) + endedChildren(pid), 0);
}

/** The ids of processes whose command line matches, and which have a text in it or in their environment. */
export function processesOf(pattern: RegExp, text: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name));
  return pids.map(Number).filter((pid) => {
    const line = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
    return pattern.test(line) && (line.includes(text) || read(`/proc/${pid}/environ`).includes(text));
  });
}

/** The CPU time of all threads, exact to the nanosecond; the times in `stat` are rounded to 10 ms. */
function own(pid: number): number {
  const nanoseconds = threadsOf(pid).map((thread) =>
    Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0] ?? 0),
  );
  return nanoseconds.reduce((sum, time) => sum + time, 0) / 1e6;
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function endedChildren(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  const [user = 0, system = 0] = fields.slice(13, 15).map(Number);
  return (user + system) * 10;
}

/** Empty if the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
