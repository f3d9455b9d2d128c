import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from '#world/file/private-file.ts';
import { sha256Of } from '#world/file/text-digest.ts';
import { settingsWithoutSecrets } from '#world/git/repository/settings-without-secrets.ts';
import { type Mount, realPath, shownAt } from './mount.ts';

/** The private files of an isolated agent on this host. */
export interface PrivateFolder {
  readonly root: string;
  /** What it sees as its home, and as the folder of its CLI if a variable names one. */
  readonly home: string;
  readonly cli: string;
  /** What it sees as /tmp. */
  readonly tmp: string;
}

/** Whether a path in the private folder leads through a link, which the agent may have put there. */
export function isLinked({ root }: PrivateFolder, path: string): boolean {
  const real = realPath(path);
  return real !== undefined && real !== `${realPath(root)}${path.slice(root.length)}`;
}

/** What of the person's home an isolated agent gets. All paths are absolute, as the person has them. */
export interface HomeOrder {
  readonly home: string;
  /** The folder of its CLI, if a variable names one outside of the home. */
  readonly cli: string | undefined;
  readonly copied: readonly string[];
  readonly readable: readonly string[];
}

/** A file with which a CLI signs in: the person's, and an isolated agent's own copy, as its host sees both. */
export interface LoginPaths {
  readonly own: string;
  readonly copy: string;
}

/** The copies of files of the person's in an agent's home. Only of those that exist. */
export function loginPaths(
  own: PrivateFolder,
  { home, cli }: Pick<HomeOrder, 'home' | 'cli'>,
  files: readonly string[],
): LoginPaths[] {
  return files
    .filter((file) => existsSync(file))
    .map((file) => ({ own: file, copy: placeOf(own, { home, cli }, file) }));
}

/** Where a file of the person's is in an agent's own folders. */
function placeOf(own: PrivateFolder, { home, cli }: Pick<HomeOrder, 'home' | 'cli'>, path: string): string {
  const isInCli = cli !== undefined && path.startsWith(`${cli}/`);
  return isInCli ? own.cli + path.slice(cli.length) : own.home + path.slice(home.length);
}

const endpointsFile = 'endpoints.json';

/** The variable with the PATH of an isolated program. */
export const pathVariable = 'MUSTER_PATH';

/** Gives the PATH back to login shells, in which some CLIs run commands: the profile of many systems replaces it. */
const shellProfile = `[ -z "\${${pathVariable}-}" ] || PATH=$${pathVariable}\n`;

/** Settings of git that a commit needs: name, address, aliases. Not its stored credentials. */
const gitSettings = ['.gitconfig', '.config/git/config', '.config/git/ignore', '.config/git/attributes'];

/** The private folder of an agent. */
export function privateFolderOf(folder: string, agentId: string): PrivateFolder {
  const root = join(folder, agentId);
  return { root, home: join(root, 'home'), cli: join(root, 'cli'), tmp: join(root, 'tmp') };
}

/**
 * The home of an isolated agent: its own folder, in which its CLI finds a copy of what it rewrites, and the person's
 * settings read-only. It outlives the window, so that a conversation can be resumed.
 */
export function homeMounts(own: PrivateFolder, order: HomeOrder): Mount[] {
  const { home, cli } = order;
  prepare(own, order);
  return [
    { at: '/tmp', from: own.tmp, access: 'write' },
    { at: home, from: own.home, access: 'write' },
    ...(cli ? [{ at: cli, from: own.cli, access: 'write' } as const] : []),
    ...order.readable.flatMap((path) => shownAt(path, 'read')),
    ...gitSettings.flatMap((path) => shownAt(join(home, path), 'read')).flatMap((mount) => withoutSecrets(own, mount)),
  ];
}

/**
 * Shows in place of settings of git with a password or token those without, which are written to the agent's private folder, and
 * nothing in place of what this process may not read.
 */
function withoutSecrets({ root }: PrivateFolder, mount: Mount): Mount[] {
  const { at, from = at } = mount;
  const text = textIn(from);
  if (text === undefined) return [];
  const shown = settingsWithoutSecrets(text);
  if (shown === text) return [mount];
  const copy = join(root, `git-${sha256Of(at).slice(0, 8)}`);
  writePrivateFile(copy, shown, { isDurable: false });
  return [{ ...mount, from: copy }];
}

/** The text of a file; undefined if it is none, or may not be read. */
function textIn(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/** A home for a script that runs beside its agent: new and empty each time. */
export function passingHome(home: string): Mount[] {
  return [
    { at: '/tmp', access: 'empty' },
    { at: home, access: 'empty' },
  ];
}

/** The model servers that the variables of an agent's window name: ports of this machine, and hosts. */
const Endpoints = z.object({ ports: z.array(z.int()), hosts: z.array(z.string()) });
export type Endpoints = z.infer<typeof Endpoints>;

/** Records the model servers of an agent's window, for the next process. */
export function keepEndpoints({ root }: PrivateFolder, endpoints: Endpoints): void {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  writeFileSync(join(root, endpointsFile), JSON.stringify(endpoints));
}

/** The recorded model servers of an agent's window. */
export function keptEndpoints({ root }: PrivateFolder): Endpoints {
  const file = join(root, endpointsFile);
  return existsSync(file) ? Endpoints.parse(JSON.parse(readFileSync(file, 'utf8'))) : { ports: [], hosts: [] };
}

/** Removes the private files of an agent. */
export async function removePrivate({ root }: PrivateFolder): Promise<void> {
  await rm(root, { recursive: true, force: true });
}

/** Copies only before the first start: later, a link that the agent left there could lead elsewhere. */
function prepare(own: PrivateFolder, { home, cli, copied }: HomeOrder): void {
  const done = join(own.root, 'prepared');
  if (existsSync(done)) return;
  for (const path of [own.home, own.cli, own.tmp]) mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(join(own.home, '.profile'), shellProfile);
  for (const path of copied) {
    const to = placeOf(own, { home, cli }, path);
    if (!isReadable(path) || existsSync(to)) continue;
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    copyFileSync(path, to, constants.COPYFILE_EXCL);
  }
  writeFileSync(done, '');
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
