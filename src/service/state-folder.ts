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

/** The folders of an installation, each readable by its owner alone. */
export interface StateFolder {
  readonly home: string;
  /** Sockets, locks, process notes and the bus's generated files: of no worth once nothing runs. */
  readonly run: string;
  readonly logs: string;
  readonly worktrees: string;
  /** People's own rules for reading panes. */
  readonly rules: string;
  /** Files of the moment. */
  readonly tmp: string;
  /** Holds `muster` alone, for the PATH of agents. */
  readonly bin: string;
}

/** The command as it is in this installation of muster. */
export const musterProgram = fileURLToPath(new URL('../../bin/muster', import.meta.url));

/** Where everything is within a state folder; nothing is made. */
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

/** What a first start needs at least: a disk that has less would leave it half done. */
const minBytes = 8 * 1024 * 1024;
const minFiles = 64;

/**
 * Makes what is missing of a state folder, closes each folder to others (0700), and links `bin/muster` to this
 * installation. If that fails, nothing is left of what it made.
 * @throws Failure with what is in the way, where, and what to do: FAILED_PRECONDITION when a folder cannot be made, is
 * no folder, or is another person's, RESOURCE_EXHAUSTED when its disk is full, UNAVAILABLE when it cannot be written.
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
    takeBack(made);
    if (error instanceof Failure) throw error;
    throw fileFailure(error, `The state folder ${path} cannot be used`, otherHome);
  }
}

/** What else may be done if a state folder cannot be used. */
export const otherHome = 'or name another state folder in MUSTER_HOME';

/**
 * Makes a folder with those above it, and returns those that it made. Node's own way never ends if a file system has
 * none (/proc).
 */
function makeFolder(path: string): string[] {
  if (isFolder(path)) return [];
  const above = makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
    syncFolder(dirname(path));
    return [...above, path];
  } catch (error) {
    takeBack(above);
    throw error;
  }
}

/** Removes folders that were made, the last one first, as far as nobody has put anything there. */
function takeBack(made: readonly string[]): void {
  try {
    for (const path of made.toReversed()) rmdirSync(path);
  } catch {
    // Another process of muster that starts at the same time needs them.
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Refuses a disk on which a first start would run out of room half-way. */
function requireRoom(home: string): void {
  const place = nearestFolder(home);
  accessSync(place, constants.W_OK);
  const { blocks, bavail, bsize, files, ffree } = statfsSync(place);
  const free = bavail * bsize;
  // One of the kernel's own, such as /proc, has no room to measure.
  if (blocks === 0) return;
  if (free >= minBytes && (files === 0 || ffree >= minFiles)) return;
  const left = free < minBytes ? `${Math.floor(free / 1024)} KiB` : `${ffree} files`;
  throw new Failure(
    'DISK_FULL',
    `The state folder ${home} cannot be created: its disk has only ${left} left, and a first start needs ` +
      `${minBytes / 1024} KiB and ${minFiles} files. Make room on it (\`df -h\` and \`df -i\` say how much is left), ${otherHome}`,
  );
}

/** The folder that a path is in or will be in, as far as there is one. */
export function nearestFolder(path: string): string {
  return isFolder(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

/** Puts the link in place in one step, since several processes of muster may start at once. */
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
