import { readFileSync, readlinkSync } from 'node:fs';

/** The system calls that read, and that wait for input, by processor, as Linux numbers them. */
const calls: Readonly<Partial<Record<NodeJS.Architecture, Calls>>> = {
  x64: { read: '0', select: '270' },
  arm64: { read: '63', select: '72' },
};
/** How many processes of a pane are checked at most. */
const maxProcesses = 64;

interface Calls {
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
    // It has ended meanwhile, or is not ours to look at.
    return undefined;
  }
}

/** Which descriptor a process is held up by, and whether it waits for a key there; undefined if it does something else. */
function heldBy(pid: number, { read, select }: Calls): { readonly from: number; readonly key: boolean } | undefined {
  const [call, first = '', , , , timeout] = readFileSync(`/proc/${pid}/syscall`, 'latin1').split(' ');
  if (call === read) return { from: Number(first), key: false };
  // It waits for no descriptor but the first, and as long as it takes.
  return call === select && Number(first) === 1 && Number(timeout) === 0 ? { from: 0, key: true } : undefined;
}

function readsTerminal(pid: number, known: Calls, isShell: boolean): boolean {
  const held = heldBy(pid, known);
  if (held === undefined || (held.key && isShell)) return false;
  return /^\/dev\/(?:pts\/|tty)/.test(readlinkSync(`/proc/${pid}/fd/${held.from}`));
}

/** A process and all that it has started, as far as it still runs. */
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
  // The name is in brackets and may hold blanks and brackets itself: what counts begins after the last one.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[field]);
}
