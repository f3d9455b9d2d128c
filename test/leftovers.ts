import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { argumentsOf, environmentOf, listProcesses } from '#world/process/process-tree.ts';

/** A process that carries a folder in its environment, its arguments or its working directory. */
interface Carrier {
  readonly pid: number;
  readonly command: string;
}

/** How long what a test has ended may take to be gone, in milliseconds. */
const patienceMs = 3_000;

/** How much of a folder that is left behind is named. */
const withinShown = 6;

/** What is in a temporary folder or runs on behalf of it once nothing should: a line of words each. */
export async function leftoversOf(root: string): Promise<string[]> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const processes = (await carriersOf(root)).map(({ pid, command }) => `process ${pid}: ${command}`);
    const files = readdirSync(root).map((name) => `in the temporary folder: ${described(join(root, name))}`);
    if (processes.length + files.length === 0 || performance.now() > deadline) return [...processes, ...files];
    await pause(100);
  }
}

/** The names at the top of the file system: there, too, a program writes whose home is a folder that is not there. */
export function topNames(): ReadonlySet<string> {
  return new Set(readdirSync('/'));
}

/** What is new at the top of the file system: a line of words each. It is not removed: others may have written it. */
export function addedAtTop(before: ReadonlySet<string>): string[] {
  const added = [...topNames()].filter((name) => !before.has(name));
  return added.map((name) => `outside the temporary folder: ${described(join('/', name))}`);
}

/** A path with the first of what lies in it: that reports who wrote there. */
function described(path: string): string {
  try {
    const within = readdirSync(path, { recursive: true, encoding: 'utf8' });
    const first = within.slice(0, withinShown).join(', ');
    return within.length === 0 ? `${path} (empty)` : `${path} (${within.length} in it: ${first})`;
  } catch {
    return path;
  }
}

/**
 * Ends every process that carries a temporary folder, removes what is mounted in it and the folders of sockets whose
 * state folder is in it, and removes the folder.
 */
export async function clearAway(root: string): Promise<void> {
  for (const { pid } of await carriersOf(root)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended on its own.
    }
  }
  for (const folder of socketFoldersOf(root)) rmSync(folder, { recursive: true, force: true });
  for (const place of mountedIn(root)) spawnSync('umount', ['--lazy', place]);
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}

/** The folders of sockets under /tmp that name a state folder in the root: there its sockets' paths would be too long. */
function socketFoldersOf(root: string): string[] {
  const shared = `/tmp/muster-${process.getuid?.() ?? 0}`;
  const folders = readdirSync('/tmp', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith('muster-'))
    .map(({ name }) => join('/tmp', name));
  const inShared = existsSync(shared) ? readdirSync(shared).map((name) => join(shared, name)) : [];
  return [...folders, ...inShared].filter((folder) => {
    const owner = join(folder, 'run-folder');
    return existsSync(owner) && readFileSync(owner, 'utf8').startsWith(`${root}/`);
  });
}

function mountedIn(root: string): string[] {
  if (process.platform !== 'linux') return [];
  const places = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  return places.filter((place) => place.startsWith(`${root}/`));
}

async function carriersOf(root: string): Promise<Carrier[]> {
  const found = await Promise.all((await listProcesses()).map(({ pid }) => carrier(pid, root)));
  return found.filter((one) => one !== undefined);
}

async function carrier(pid: number, root: string): Promise<Carrier | undefined> {
  if (pid === process.pid) return undefined;
  const [argv, environment, cwd] = await Promise.all([
    argumentsOf(pid),
    environmentOf(pid),
    readlink(`/proc/${pid}/cwd`).catch(() => ''),
  ]);
  const carries = [...argv, ...environment, cwd].some((text) => text.includes(root));
  return carries ? { pid, command: argv.join(' ') } : undefined;
}
