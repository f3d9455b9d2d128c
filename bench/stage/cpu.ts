import { readdirSync, readFileSync } from 'node:fs';

/**
 * The CPU time that processes have used until now, in milliseconds, those of their children that have ended included.
 */
export function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + own(pid) + endedChildren(pid), 0);
}

/** The processes whose command line matches and which carry a text in it or in their environment. */
export function processesOf(pattern: RegExp, text: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name));
  return pids.map(Number).filter((pid) => {
    const line = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
    return pattern.test(line) && (line.includes(text) || read(`/proc/${pid}/environ`).includes(text));
  });
}

/** That of all its threads, exact to the nanosecond, where the times of `stat` are rounded to ticks of 10 ms. */
function own(pid: number): number {
  const nanoseconds = threadsOf(pid).map((thread) =>
    Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0] ?? 0),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
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

/** A process may end while it is looked at. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
