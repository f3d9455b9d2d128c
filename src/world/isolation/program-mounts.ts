import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join, sep } from 'node:path';
import { isWithin } from '#world/within.ts';
import type { Mount } from './mount.ts';

export interface ProgramsShown {
  /** The PATH inside. */
  readonly path: string;
  /** Further programs, by their paths. */
  readonly programs: readonly string[];
  /** Folders that must not be shown as a part of an installation: the person's home and the state folder. */
  readonly kept: readonly string[];
}

/**
 * The installations that programs need, read-only: the folders of a PATH, the installation around a `bin` folder, and
 * where the programs really are, with the packages beside them.
 */
export function programMounts({ path, programs, kept }: ProgramsShown): Mount[] {
  const folders = path.split(delimiter).filter((folder) => folder.startsWith('/') && existsSync(folder));
  const around = [...folders, ...programs.map((program) => dirname(program))].flatMap((folder) => [
    folder,
    ...installationOf(folder),
  ]);
  const real = programs.filter((program) => existsSync(program)).map((program) => packagesOf(realpathSync(program)));
  const isSafe = (folder: string): boolean => !kept.some((one) => isWithin(folder, one));
  const shown = [...new Set([...around, ...real])].filter(isSafe);
  return [
    ...shown.map((at): Mount => ({ at, access: 'read' })),
    ...shown
      .filter((folder) => kept.some((one) => isWithin(one, folder)))
      .flatMap(loginsIn)
      .map((at): Mount => ({ at, from: '/dev/null', access: 'read' })),
  ];
}

/** Names of files in which package managers keep logins beside their programs, such as `~/.cargo/credentials.toml`. */
const loginName = /^(?:\.?credentials?(?:\.[a-z]+)?|\.npmrc|npmrc|\.?netrc|auth\.json|.*token.*)$/i;

/** The files of an installation that hold logins. */
function loginsIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && loginName.test(entry.name)).map(({ name }) => join(folder, name));
}

/** The folder that contains a `bin` folder, unless it holds other things than programs. */
function installationOf(folder: string): string[] {
  const parent = dirname(folder);
  const isOwn = basename(folder) === 'bin' && parent !== '/' && basename(parent) !== '.local';
  return isOwn ? [parent] : [];
}

/** The folder of a program, or the outermost `node_modules` that it is in. */
export function packagesOf(program: string): string {
  const parts = program.split(sep);
  const at = parts.indexOf('node_modules');
  return at < 0 ? dirname(program) : join('/', ...parts.slice(0, at + 1));
}
