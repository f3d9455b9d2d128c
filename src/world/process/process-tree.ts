import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** One process of this machine. Its pid and start time together identify it forever; a pid alone is reused. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** The session it belongs to; its process group if the system does not report sessions. */
  readonly session: number;
  /** When it started, in the system's own format: only to be compared, not interpreted. */
  readonly started: string;
}

/** Reads a virtual file of the kernel synchronously: these are never slow, while a thread for each would be. */
function readKernelFile(path: string, encoding: BufferEncoding): string | undefined {
  try {
    return readFileSync(path, encoding);
  } catch {
    return undefined;
  }
}

function readLinux(pid: string): Process | undefined {
  const stat = readKernelFile(`/proc/${pid}/stat`, 'latin1');
  // The name is in brackets and may itself contain spaces and brackets, so the fields begin after the last one.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return { pid: Number(pid), parent: Number(fields[1]), session: Number(fields[3]), started: fields[19] ?? '' };
}

function readPsLine(line: string): Process | undefined {
  const [pid, parent, group, state, ...started] = line.trim().split(/\s+/);
  if (pid === undefined || state === undefined || state.startsWith('Z')) return undefined;
  return { pid: Number(pid), parent: Number(parent), session: Number(group), started: started.join(' ') };
}

async function listWithPs(): Promise<Process[]> {
  const { stdout } = await run('/bin/ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], {
    env: { ...process.env, LC_ALL: 'C' },
  });
  return stdout.split('\n').flatMap((line) => readPsLine(line) ?? []);
}

/** Every process that runs now; those that ended and were not yet collected by their parent are left out. */
export async function listProcesses(platform: NodeJS.Platform = process.platform): Promise<Process[]> {
  if (platform !== 'linux') return listWithPs();
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return names.flatMap((name) => readLinux(name) ?? []);
}

/** The process with this pid, or undefined if it has ended. */
export async function findProcess(pid: number): Promise<Process | undefined> {
  if (process.platform === 'linux') return readLinux(String(pid));
  return (await listWithPs()).find((candidate) => candidate.pid === pid);
}

/** The environment a process was started with, as `NAME=value` strings; empty if it may not be known. */
export function environmentOf(pid: number): string[] {
  const text = readKernelFile(`/proc/${pid}/environ`, 'utf8') ?? '';
  return text.split('\0').filter((entry) => entry !== '');
}

/** Whether a process runs as this user; false if it may not be known, as elsewhere than on Linux. */
export function isOwnProcess(pid: number): boolean {
  const [, uid] = /^Uid:\t(\d+)/m.exec(readKernelFile(`/proc/${pid}/status`, 'utf8') ?? '') ?? [];
  return uid !== undefined && Number(uid) === process.getuid?.();
}

/** The arguments a process was started with; empty if they may not be known. */
export function argumentsOf(pid: number): string[] {
  const text = readKernelFile(`/proc/${pid}/cmdline`, 'utf8') ?? '';
  return text.split('\0').slice(0, -1);
}

/** The process `root`, all its descendants, and everything in the session that it leads. */
export function treeOf(processes: readonly Process[], root: number): Process[] {
  const wanted = new Set(processes.filter((one) => one.pid === root || one.session === root).map((one) => one.pid));
  for (let before = -1; before !== wanted.size; ) {
    before = wanted.size;
    for (const one of processes) if (wanted.has(one.parent)) wanted.add(one.pid);
  }
  return processes.filter((one) => wanted.has(one.pid));
}

/** This process and its ancestors, which it must never end. */
function ownLine(processes: readonly Process[]): Set<number> {
  const parents = new Map(processes.map((one) => [one.pid, one.parent]));
  const line = new Set<number>();
  for (
    let pid: number | undefined = process.pid;
    pid !== undefined && pid > 0 && !line.has(pid);
    pid = parents.get(pid)
  )
    line.add(pid);
  return line;
}

/** Sends a signal to a process; does nothing if it has ended or belongs to another user. */
export function signalProcess(target: Process, name: NodeJS.Signals): void {
  try {
    process.kill(target.pid, name);
  } catch {
    // It ended meanwhile, as intended, or belongs to another user.
  }
}

/** How long each signal is given before the next, stronger one, in milliseconds. */
export interface SignalPauses {
  readonly hangup: number;
  readonly terminate: number;
  readonly kill: number;
}

const defaultGrace: SignalPauses = { hangup: 1500, terminate: 1500, kill: 2000 };
const lookEvery = 25;

/**
 * Ends the processes that `select` picks, by SIGHUP, then SIGTERM, then SIGKILL, and returns those that are left.
 * It picks again each time, so that processes started meanwhile end too; what was picked once stays picked, by pid and
 * start, even if its parent has gone.
 */
export async function endProcesses(
  select: (processes: readonly Process[]) => readonly Process[],
  grace: SignalPauses = defaultGrace,
): Promise<Process[]> {
  const picked = new Map<number, string>();
  const look = async () => {
    const processes = await listProcesses();
    const spared = ownLine(processes);
    for (const one of select(processes)) picked.set(one.pid, one.started);
    return processes.filter((one) => picked.get(one.pid) === one.started && !spared.has(one.pid));
  };
  const steps = [
    ['SIGHUP', grace.hangup],
    ['SIGTERM', grace.terminate],
    ['SIGKILL', grace.kill],
  ] as const;
  for (const [name, patience] of steps) {
    const signalled = new Map<number, string>();
    const deadline = performance.now() + patience;
    for (;;) {
      const left = await look();
      if (left.length === 0) return [];
      for (const one of left) {
        if (signalled.get(one.pid) === one.started) continue;
        signalled.set(one.pid, one.started);
        signalProcess(one, name);
      }
      if (performance.now() >= deadline) break;
      await pause(lookEvery);
    }
  }
  return look();
}
