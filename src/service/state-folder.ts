import { chmodSync, existsSync, lstatSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '#contract/failure.ts';
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

/** The command as it stands in this installation of muster. */
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

/**
 * Makes what is missing of a state folder, closes each folder to others (0700), and links `bin/muster` to this
 * installation.
 * @throws Failure `failed_precondition` where a folder cannot be made, is no folder, or is another person's.
 */
export function prepareStateFolder(home: string): StateFolder {
  const folder = stateFolderAt(home);
  for (const path of Object.values(folder) as string[]) closeToOthers(path);
  linkCommand(join(folder.bin, 'muster'));
  return folder;
}

/** Makes a folder with those above it. Node's own way of doing it never ends where a file system holds no folders (/proc). */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
  syncFolder(dirname(path));
}

function closeToOthers(path: string): void {
  try {
    makeFolder(path);
    chmodSync(path, 0o700);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure(
      'failed_precondition',
      `The state folder ${path} cannot be used (${why}). Make it yours, or name another one in MUSTER_HOME.`,
      { cause: error },
    );
  }
}

/** Puts the link in place in one step, since several processes of muster may start at once. */
function linkCommand(link: string): void {
  const there = lstatSync(link, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() && readlinkSync(link) === musterProgram) return;
  const draft = `${link}.${process.pid}`;
  rmSync(draft, { force: true });
  symlinkSync(musterProgram, draft);
  renameSync(draft, link);
}
