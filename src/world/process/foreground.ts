import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { argumentsOf } from './process-tree.ts';

const run = promisify(execFile);

/** A process in the foreground of a terminal. */
export interface ForegroundProcess {
  readonly pid: number;
  /** Its command line, as far as it can be known; if from `ps`, split at every space. */
  readonly words: readonly string[];
}

/** The process group that a terminal's keys go to. */
export interface Foreground {
  /** The process that leads the group; undefined if it has ended. */
  readonly leader: ForegroundProcess | undefined;
  readonly others: readonly ForegroundProcess[];
}

interface Row {
  readonly pid: number;
  readonly group: number;
  /** The foreground group of its terminal. */
  readonly front: number;
  readonly words: () => readonly string[];
}

/** The foreground of a process's terminal; undefined if the process has no terminal, or has ended. */
export async function foregroundOf(
  pid: number,
  platform: NodeJS.Platform = process.platform,
): Promise<Foreground | undefined> {
  const rows = platform === 'linux' ? linuxRows() : await psRows();
  const front = rows.find((row) => row.pid === pid)?.front ?? -1;
  if (front <= 0) return undefined;
  const members = rows.filter(({ group }) => group === front).map((row) => ({ pid: row.pid, words: row.words() }));
  return {
    leader: members.find((one) => one.pid === front),
    others: members.filter((one) => one.pid !== front),
  };
}

function linuxRows(): Row[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => linuxRow(name) ?? []);
}

function linuxRow(name: string): Row | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${name}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The name is in brackets and may itself contain spaces and brackets, so the fields begin after the last one.
  const [state, , group, , , front] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  const pid = Number(name);
  return { pid, group: Number(group), front: Number(front), words: () => argumentsOf(pid) };
}

async function psRows(): Promise<Row[]> {
  const { stdout } = await run('/bin/ps', ['-A', '-o', 'pid=,pgid=,tpgid=,stat=,args='], {
    env: { ...process.env, LC_ALL: 'C' },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const [pid, group, front, state = 'Z', ...words] = line.trim().split(/\s+/);
    if (state.startsWith('Z')) return [];
    return [{ pid: Number(pid), group: Number(group), front: Number(front), words: () => words }];
  });
}
