import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '#contract/failure.ts';
import { fileFailure } from '#contract/file-fault.ts';
import { syncFolder } from '#world/file/synced-folder.ts';

/** The folders of an installation, each accessible only to its owner. */
export interface StateFolder {
  readonly home: string;
  /** Sockets, locks, process records and the bus's generated files, which matter only while muster runs. */
  readonly run: string;
  readonly logs: string;
  readonly worktrees: string;
  /** People's own rules for reading panes. */
  readonly rules: string;
  /** Temporary files. */
  readonly tmp: string;
  /** Contains only `muster`, for the PATH of agents. */
  readonly bin: string;
}

/** The file that Node runs for any command of muster. */
export const mainFile = fileURLToPath(new URL('../../bin/muster.mjs', import.meta.url));

/** The path of the command `muster` in this copy of the program. */
export const musterProgram = fileURLToPath(new URL('../../bin/muster', import.meta.url));

/** The paths within a state folder. Creates nothing. */
export function stateFolderAt(home: string): StateFolder {
  const within = (name: string) => join(home, name);
  return {
    home,
    run: within('run'),
    logs: within('logs'),
    worktrees: within('worktrees'),
    rules: within('rules'),
    tmp: within('tmp'),
    bin: within('bin'),
  };
}

/** The free space that a first start needs, in bytes. */
const minBytes = 8 * 1024 * 1024;
const minFiles = 64;

/**
 * Creates the missing folders of a state folder, closes each to other users (0700), and links `bin/muster` to this
 * program. If that fails, removes what it created.
 * @throws FAILED_PRECONDITION when a folder cannot be created, is not a folder, or belongs to another user,
 *   RESOURCE_EXHAUSTED when the disk is full, UNAVAILABLE when it cannot be written
 */
export function prepareStateFolder(home: string): StateFolder {
  const folder = stateFolderAt(home);
  const made: string[] = [];
  const link = join(folder.bin, 'muster');
  let path = home;
  try {
    if (!existsSync(folder.run)) requireRoom(home);
    for (path of Object.values(folder) as string[]) {
      made.push(...makeFolder(path));
      chmodSync(path, 0o700);
    }
    path = link;
    linkCommand(link);
    return folder;
  } catch (error) {
    removeCreated(made);
    if (error instanceof Failure) throw error;
    throw fileFailure(error, `The state folder ${path} cannot be used`, otherHome);
  }
}

/** The alternative if a state folder cannot be used. */
export const otherHome = 'or name another state folder in MUSTER_HOME';

/**
 * Creates a folder with its parents, and returns those that it created. Node's own function never returns on a file
 * system without folders (/proc).
 */
function makeFolder(path: string): string[] {
  if (isFolder(path)) return [];
  const above = makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
    syncFolder(dirname(path));
    return [...above, path];
  } catch (error) {
    removeCreated(above);
    throw error;
  }
}

/** Removes created folders, the last one first, as far as they are empty. */
function removeCreated(made: readonly string[]): void {
  try {
    for (const path of made.toReversed()) rmdirSync(path);
  } catch {
    // Another process of muster that starts at the same time uses them.
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Refuses a disk with too little space for a first start. */
function requireRoom(home: string): void {
  const place = nearestFolder(home);
  accessSync(place, constants.W_OK);
  const { blocks, bavail, bsize, files, ffree } = statfsSync(place);
  const free = bavail * bsize;
  // A virtual file system, such as /proc, has no size.
  if (blocks === 0) return;
  if (free >= minBytes && (files === 0 || ffree >= minFiles)) return;
  const left = free < minBytes ? `${Math.floor(free / 1024)} KiB` : `${ffree} files`;
  throw new Failure(
    'DISK_FULL',
    `The state folder ${home} cannot be created: its disk has only ${left} left, and a first start needs ` +
      `${minBytes / 1024} KiB and ${minFiles} files. Make room on it (\`df -h\` and \`df -i\` show how much is left), ${otherHome}`,
  );
}

/** The nearest existing folder above a path, or the path itself. */
export function nearestFolder(path: string): string {
  return isFolder(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

/** Creates the link atomically, because several processes of muster may start at the same time. */
function linkCommand(link: string): void {
  const there = lstatSync(link, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() && readlinkSync(link) === musterProgram) return;
  const draft = `${link}.${process.pid}`;
  try {
    rmSync(draft, { force: true });
    symlinkSync(musterProgram, draft);
    renameSync(draft, link);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
