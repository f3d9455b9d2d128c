import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What tells a running process from a later one with the same id. */
export interface ProcessFacts {
  readonly pid: number;
  /** When it started, in the words of the operating system: only good for comparing. */
  readonly startedAt: string;
  /** Its command line, joined by blanks. */
  readonly command: string;
}

/** The facts of a running process, or undefined where there is none (a zombie is none). */
export function processFacts(pid: number): ProcessFacts | undefined {
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  } catch {
    return undefined;
  }
}

function fromProc(pid: number): ProcessFacts | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field, the name, may hold blanks and parentheses: the fields are counted from its closing one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0$/, '').replaceAll('\0', ' ');
  return { pid, startedAt: fields[19] ?? '', command };
}

function fromPs(pid: number): ProcessFacts | undefined {
  const line = execFileSync('ps', ['-o', 'stat=,lstart=,command=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  }).trim();
  const [, state, startedAt, command] = /^(\S+)\s+(\S+ +\S+ +\d+ +[\d:]+ +\d+) +(.*)$/.exec(line) ?? [];
  if (startedAt === undefined || command === undefined || state?.startsWith('Z')) return undefined;
  return { pid, startedAt, command };
}
