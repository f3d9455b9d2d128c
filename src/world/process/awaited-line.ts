import { readFileSync, readlinkSync } from 'node:fs';

/** The numbers on Linux of the system calls that read, and that wait for input, by processor. */
const calls: Readonly<Partial<Record<NodeJS.Architecture, PollCalls>>> = {
  x64: { read: '0', select: '270' },
  arm64: { read: '63', select: '72' },
};
/** The maximum number of processes of a pane that are checked. */
const maxProcesses = 64;

interface PollCalls {
  readonly read: string;
  readonly select: string;
}

/**
 * Whether a program in the foreground of a process's terminal is blocked reading a line from it. A program that edits
 * the line itself counts too, if it waits for a key alone and without a time limit. The process itself edits its prompt
 * in this way and does not count. Undefined if this cannot be determined: on systems other than Linux, and for another
 * user's programs.
 */
export function awaitsLine(pid: number, { platform, arch }: NodeJS.Process = process): boolean | undefined {
  const known = calls[arch];
  if (platform !== 'linux' || known === undefined) return undefined;
  try {
    const front = frontOf(pid);
    return descendants(pid).some((one) => groupOf(one) === front && readsTerminal(one, known, one === pid));
  } catch {
    // It has ended meanwhile, or belongs to another user.
    return undefined;
  }
}

/**
 * The descriptor that a process waits for, and whether it waits there for a key; undefined if it does something else.
 */
function foregroundQuestion(
  pid: number,
  { read, select }: PollCalls,
): { readonly from: number; readonly key: boolean } | undefined {
  const [call, first = '', , , , timeout] = readFileSync(`/proc/${pid}/syscall`, 'latin1').split(' ');
  if (call === read) return { from: Number(first), key: false };
  // It waits for no descriptor but the first, and without a time limit.
  return call === select && Number(first) === 1 && Number(timeout) === 0 ? { from: 0, key: true } : undefined;
}

function readsTerminal(pid: number, known: PollCalls, isShell: boolean): boolean {
  const held = foregroundQuestion(pid, known);
  if (held === undefined || (held.key && isShell)) return false;
  return /^\/dev\/(?:pts\/|tty)/.test(readlinkSync(`/proc/${pid}/fd/${held.from}`));
}

/** A process and all its descendants that are still running. */
function descendants(pid: number): readonly number[] {
  const found = [pid];
  for (let at = 0; at < found.length && found.length < maxProcesses; at += 1) {
    const own = found[at];
    const children = readFileSync(`/proc/${own}/task/${own}/children`, 'latin1').trim();
    if (children !== '') found.push(...children.split(' ').map(Number));
  }
  return found;
}

const frontOf = (pid: number): number => statOf(pid, 5);
const groupOf = (pid: number): number => statOf(pid, 2);

function statOf(pid: number, field: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name is in brackets and may itself contain spaces and brackets, so the fields begin after the last one.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[field]);
}
