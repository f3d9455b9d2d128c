import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { syncFolder } from '#world/file/synced-folder.ts';

/** The folders of an upgrade, all beside the program, so that each step is one rename. npm ignores their names. */
export interface ProgramFolders {
  /** The program that commands, the service and agents run. */
  readonly current: string;
  /** A copy of it, which runs the upgrade and stays afterwards. */
  readonly previous: string;
  /** Where npm installs the new version. */
  readonly stage: string;
  readonly next: string;
  /** What a switch has moved away. */
  readonly replaced: string;
  /** The prefix of npm: its `bin/muster` leads to the program. */
  readonly prefix: string;
}

/** The folders of an upgrade of a program that npm has installed. */
export function programFolders(current: string, prefix: string): ProgramFolders {
  const beside = (name: string) => join(dirname(current), `.${basename(current)}-${name}`);
  return {
    current,
    previous: beside('previous'),
    stage: beside('stage'),
    next: beside('next'),
    replaced: beside('replaced'),
    prefix,
  };
}

/** Removes what earlier upgrades left, except for the version before the current one. */
export function clearLeftovers({ stage, next, replaced }: ProgramFolders): void {
  for (const folder of [stage, next, replaced]) rmSync(folder, { recursive: true, force: true });
}

/** Keeps a copy of the current program. It runs from there until the upgrade is over. */
export function keepPrevious({ current, previous }: ProgramFolders): void {
  const draft = `${previous}-draft`;
  rmSync(draft, { recursive: true, force: true });
  cpSync(current, draft, { recursive: true, verbatimSymlinks: true });
  rmSync(previous, { recursive: true, force: true });
  renameSync(draft, previous);
}

/** Replaces the current program by the next one. A repetition continues where an interrupted one stopped. */
export function switchPrograms(folders: ProgramFolders): void {
  const { current, previous, next, replaced } = folders;
  // Commands that run meanwhile find a program at each moment.
  leadTo(folders, previous);
  if (!existsSync(replaced)) renameSync(current, replaced);
  if (existsSync(next)) renameSync(next, current);
  syncFolder(dirname(current));
  leadTo(folders, current);
}

/** Puts the replaced program back. A repetition continues where an interrupted one stopped. */
export function switchBack(folders: ProgramFolders): void {
  const { current, previous, next, replaced } = folders;
  if (existsSync(replaced)) {
    leadTo(folders, previous);
    if (existsSync(current)) {
      rmSync(next, { recursive: true, force: true });
      renameSync(current, next);
    }
    renameSync(replaced, current);
    syncFolder(dirname(current));
  }
  leadTo(folders, current);
}

/** Makes links of the prefix that npm would have made, such as those of new commands and manual pages. */
export function linkAsInstalled({ current, stage, prefix }: ProgramFolders): void {
  const manuals = listOf(join(stage, 'share', 'man')).map((section) => join('share', 'man', section));
  for (const folder of ['bin', ...manuals]) {
    for (const name of listOf(join(stage, folder))) {
      const [made, own] = [join(stage, folder, name), join(prefix, folder, name)];
      if (!lstatSync(made).isSymbolicLink() || lstatSync(own, { throwIfNoEntry: false }) !== undefined) continue;
      const installed = join(stage, 'lib', 'node_modules', basename(dirname(current)), basename(current));
      const file = relative(installed, join(dirname(made), readlinkSync(made)));
      if (file.startsWith('..')) continue;
      mkdirSync(dirname(own), { recursive: true });
      symlinkSync(relative(dirname(own), join(current, file)), own);
    }
  }
}

/** Leads the command of the prefix to a copy of the program, unless it is something else than npm's link. */
function leadTo({ prefix }: ProgramFolders, folder: string): void {
  const link = join(prefix, 'bin', 'muster');
  if (!lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  const target = relative(dirname(link), join(folder, 'bin', 'muster'));
  if (readlinkSync(link) === target) return;
  const draft = `${link}.upgrade`;
  rmSync(draft, { force: true });
  symlinkSync(target, draft);
  renameSync(draft, link);
}

function listOf(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
