import { readFileSync, readlinkSync } from 'node:fs';

/** The system call that reads, by processor, as Linux numbers it. */
const readCalls: Readonly<Partial<Record<NodeJS.Architecture, string>>> = { x64: '0', arm64: '63' };
/** So many processes of a pane are looked at. */
const maxProcesses = 64;

/**
 * Whether a program in the foreground of a process's terminal is held up reading a line from it. One that edits the
 * line itself waits in another way, as an editor does, and is none. Undefined if that cannot be known: on other systems
 * than Linux, and of another user's programs.
 */
export function awaitsLine(pid: number, { platform, arch }: NodeJS.Process = process): boolean | undefined {
  const readCall = readCalls[arch];
  if (platform !== 'linux' || readCall === undefined) return undefined;
  try {
    const front = frontOf(pid);
    return descendants(pid).some((one) => groupOf(one) === front && readsTerminal(one, readCall));
  } catch {
    // It has ended meanwhile, or is not ours to look at.
    return undefined;
  }
}

function readsTerminal(pid: number, readCall: string): boolean {
  const [call, from = ''] = readFileSync(`/proc/${pid}/syscall`, 'latin1').split(' ');
  return call === readCall && /^\/dev\/(?:pts\/|tty)/.test(readlinkSync(`/proc/${pid}/fd/${Number(from)}`));
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
