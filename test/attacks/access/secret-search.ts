import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files below a folder, by path, whose name or content has one of these texts. */
export function pathsWith(folder: string, texts: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter(
      (path) => texts.some((text) => path.includes(text)) || texts.some((text) => contentOf(path).includes(text)),
    );
}

function contentOf(path: string): Buffer {
  try {
    return lstatSync(path).isFile() ? readFileSync(path) : Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0);
  }
}

/** The processes outside panes whose arguments or environment have one of these texts, with their command line. */
export function holdersOf(kind: 'cmdline' | 'environ', texts: readonly string[]): string[] {
  const inPanes = new Set(paneProcesses());
  return processes()
    .filter((pid) => pid !== process.pid && !inPanes.has(pid))
    .filter((pid) => texts.some((text) => procFile(pid, kind).includes(text)))
    .map((pid) => `${kind} of ${procFile(pid, 'cmdline').replaceAll('\0', ' ')}`);
}

/** The children of a process. */
export function childrenOf(pid: number): number[] {
  return processes().filter((one) => parentOf(one) === pid);
}

/** Every process that a tmux server or a muster host with embedded panes runs in a pane: it has a terminal of its own. */
function paneProcesses(): number[] {
  const servers = processes().filter((pid) => /^tmux/.test(procFile(pid, 'comm')));
  const below = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...below(child)]);
  return servers.flatMap(below);
}

function processes(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function parentOf(pid: number): number {
  const after = procFile(pid, 'stat').split(') ').at(-1) ?? '';
  return Number(after.split(' ')[1]);
}

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
