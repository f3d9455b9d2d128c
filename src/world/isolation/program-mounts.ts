import { existsSync, readdirSync } from 'node:fs';
import { basename, delimiter, dirname, join, sep } from 'node:path';
import { isWithin } from '#world/within.ts';
import { interpretersOf, pythonPackages } from './interpreter.ts';
import { type Mount, realPath, shownAt } from './mount.ts';

export interface ProgramsShown {
  /** The PATH inside. */
  readonly path: string;
  /** Further programs, by their paths. */
  readonly programs: readonly string[];
  /** Folders that must not be shown as a part of an installation: the person's home and the state folder. */
  readonly kept: readonly string[];
}

/**
 * The installations that programs need, read-only: the folders of a PATH, the installation around a `bin` folder, where
 * the programs really are, with the packages beside them, and what interprets those that are scripts.
 */
export function programMounts({ path, programs, kept }: ProgramsShown): Mount[] {
  const folders = path.split(delimiter).filter((folder) => folder.startsWith('/') && existsSync(folder));
  const around = [...folders, ...programs.map((program) => dirname(program))].flatMap(withInstallation);
  const real = programs.flatMap((program) => needsOf(program, path));
  const shown = withoutKept(
    [...new Set([...around, ...real])].flatMap((folder) => shownAt(folder, 'read')),
    kept,
  );
  return [
    ...shown,
    ...shown
      .map(({ at }) => at)
      .filter((folder) => kept.some((one) => isWithin(one, folder)))
      .flatMap(loginsIn)
      .map((at): Mount => ({ at, from: '/dev/null', access: 'read' })),
  ];
}

/** Those of the mounts that show none of the folders. */
export function withoutKept(mounts: readonly Mount[], kept: readonly string[]): Mount[] {
  const hidden = kept.flatMap((folder) => [folder, realPath(folder) ?? folder]);
  const isSafe = (folder: string): boolean => !hidden.some((one) => isWithin(folder, one));
  return mounts.filter(({ at, from = at }) => isSafe(at) && isSafe(from));
}

/** Names of files in which package managers keep logins beside their programs, such as `~/.cargo/credentials.toml`. */
const loginName = /^(?:\.?credentials?(?:\.[a-z]+)?|\.npmrc|npmrc|\.?netrc|auth\.json|.*token.*)$/i;

/** The files of an installation that hold logins. */
function loginsIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && loginName.test(entry.name)).map(({ name }) => join(folder, name));
}

/** Where a program really is, with what it needs to start. */
function needsOf(program: string, path: string): string[] {
  const real = realPath(program);
  if (real === undefined) return [];
  const interpreters = interpretersOf(real, path).map((one) => dirname(one));
  return [packagesOf(real), ...[dirname(real), ...interpreters].flatMap(withInstallation), ...pythonPackages(real)];
}

/** A folder of programs, and the folder that contains it if that holds nothing but an installation. */
function withInstallation(folder: string): string[] {
  const parent = dirname(folder);
  const isOwn = basename(folder) === 'bin' && parent !== '/' && basename(parent) !== '.local';
  return isOwn ? [folder, parent] : [folder];
}

/** The folder of a program, or the outermost `node_modules` that it is in. */
export function packagesOf(program: string): string {
  const parts = program.split(sep);
  const at = parts.indexOf('node_modules');
  return at < 0 ? dirname(program) : join('/', ...parts.slice(0, at + 1));
}
