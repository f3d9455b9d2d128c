import { existsSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join, relative, sep } from 'node:path';
import { isWithin } from '#world/within.ts';
import { interpretersOf, pythonPackages, virtualEnvironmentOf } from './interpreter.ts';
import { type Mount, realPath, shownOfSystem } from './mount.ts';
import { entriesIn, isSecretName, secretsIn } from './secret-names.ts';
import { versionsBehind } from './version-managers.ts';

export interface ProgramsShown {
  /** The PATH inside. */
  readonly path: string;
  /** Further programs, by their paths. */
  readonly programs: readonly string[];
  /** Folders that must not be shown as a part of an installation: the person's home and the state folder. */
  readonly kept: readonly string[];
  /** The person's home, and the variables of the programs, by which version managers find what they run. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The installations that programs need, read-only: the folders of a PATH, the installation around a `bin` folder, where
 * the programs really are, with the packages beside them, and what interprets those that are scripts.
 */
export function programMounts({ path, programs, kept, home, environment }: ProgramsShown): Mount[] {
  const folders = path.split(delimiter).filter((folder) => folder.startsWith('/') && existsSync(folder));
  const installed = (folder: string): string[] => withInstallation(folder, kept);
  const around = [...folders, ...programs.map(placeOf)].flatMap(installed);
  const real = programs.flatMap((program) => needsOf(program, path, installed));
  const linked = folders.filter(isPersonal).flatMap((folder) => programsLinked(folder, path, installed));
  const versions = folders.flatMap((folder) =>
    versionsBehind(
      folder,
      entriesIn(folder).map(({ name }) => name),
      home,
      environment,
    ),
  );
  return withoutSecrets([...new Set([...around, ...real, ...linked, ...versions])].flatMap(shownOfSystem), kept);
}

/** Those of the mounts that show none of the folders, and without what is secret in those that are in one of them. */
export function withoutSecrets(mounts: readonly Mount[], kept: readonly string[]): Mount[] {
  const shown = withoutKept(mounts, kept);
  return [...shown, ...shown.filter(({ at, from = at }) => isBelow(from, kept)).flatMap((mount) => secretsIn(mount))];
}

function isBelow(path: string, kept: readonly string[]): boolean {
  const real = realPath(path) ?? path;
  return kept.some((one) => isWithin(one, path) || isWithin(realPath(one) ?? one, real));
}

/** Those of the mounts that show none of the folders. */
function withoutKept(mounts: readonly Mount[], kept: readonly string[]): Mount[] {
  const hidden = kept.flatMap((folder) => [folder, realPath(folder) ?? folder]);
  const isSafe = (folder: string): boolean => !hidden.some((one) => isWithin(folder, one));
  return mounts.filter(({ at, from = at }) => isSafe(at) && isSafe(from));
}

/** Where a program really is, with what it needs to start. */
function needsOf(program: string, path: string, installed: (folder: string) => string[]): string[] {
  const real = realPath(program);
  if (real === undefined) return [];
  return [packagesOf(real), ...installed(placeOf(real)), ...interpretationOf(real, path, installed)];
}

/** What interprets a program, with the installations and packages of that. */
function interpretationOf(program: string, path: string, installed: (folder: string) => string[]): string[] {
  return [...interpretersOf(program, path).map(placeOf).flatMap(installed), ...pythonPackages(program)];
}

/** The folder of a program, or the program alone if it is directly among what all programs of a person keep. */
function placeOf(program: string): string {
  const folder = dirname(program);
  return isShare(folder) ? program : folder;
}

/** Whether a folder is `~/.local/share`, in which programs keep what they like, logins included. */
function isShare(folder: string): boolean {
  return basename(folder) === 'share' && basename(dirname(folder)) === '.local';
}

/** What an installation consists of. */
const parts = ['lib', 'lib32', 'lib64', 'libexec', 'share', 'include', 'node_modules', 'jars', 'plugins', 'tools'];
const versions = ['version', 'versions', 'installs', 'shims', 'candidates', 'toolchains', 'pyvenv.cfg'];
/** What the folder of a manager of versions consists of besides, where others keep something else by that name. */
const versionsIn: Readonly<Record<string, readonly string[]>> = { '.pixi': ['envs'] };

/**
 * A folder of programs, and the installation around it. In the person's home, the folder around it may be a checkout, or
 * have settings and logins as well, such as `~/.docker`: then only the parts are shown of which installations consist. The home
 * itself is no installation, although `~/bin` is in it.
 */
function withInstallation(folder: string, kept: readonly string[]): string[] {
  const parent = dirname(folder);
  if (!/^(?:bin|shims)$/.test(basename(folder)) || parent === '/' || isPersonal(folder)) return [folder];
  if (holdsKept(parent, kept)) return [folder];
  if (!isBelow(parent, kept) || isInstallation(parent)) return [folder, parent];
  const names = [...parts, ...versions, ...(versionsIn[basename(parent)] ?? [])];
  const shown = names.map((name) => join(parent, name)).filter((at) => existsSync(at));
  return [folder, ...shown, ...linkedFrom(folder, shown)];
}

/** Whether a folder is `~/.local/bin`, around which is what all programs of a person keep. */
function isPersonal(folder: string): boolean {
  return basename(folder) === 'bin' && basename(dirname(folder)) === '.local';
}

/**
 * What the programs in a folder need that are links into what programs install beside it, such as tools of uv and pipx: each with
 * the installation that it is in, or alone.
 */
function programsLinked(folder: string, path: string, installed: (folder: string) => string[]): string[] {
  const share = realPath(join(dirname(folder), 'share'));
  if (share === undefined) return [];
  const programs = programsBehind(folder).filter((program) => isWithin(share, program));
  return programs.flatMap((program) => {
    const shown = programIn(share, program);
    return shown.length === 0 ? [] : [...shown, ...interpretationOf(program, path, installed)];
  });
}

/** Where the links in a folder lead to. */
function programsBehind(folder: string): string[] {
  return entriesIn(folder).flatMap((entry) =>
    entry.isSymbolicLink() ? (realPath(join(folder, entry.name)) ?? []) : [],
  );
}

function holdsKept(folder: string, kept: readonly string[]): boolean {
  const real = realPath(folder) ?? folder;
  return kept.some((one) => isWithin(folder, one) || isWithin(real, realPath(one) ?? one));
}

/**
 * What the links in a folder of programs lead to within the folder around it, apart from what is shown: an installation, such as
 * a version of a compiler in `~/.ghcup`, or the program alone.
 */
function linkedFrom(folder: string, shown: readonly string[]): string[] {
  const around = realPath(dirname(folder));
  if (around === undefined) return [];
  const known = [folder, ...shown].flatMap((one) => realPath(one) ?? []);
  const elsewhere = programsBehind(folder).filter(
    (program) => isWithin(around, program) && !known.some((one) => isWithin(one, program)),
  );
  return elsewhere.flatMap((program) => programIn(around, program));
}

/** A program somewhere in a folder with the installation that it is in. */
function programIn(around: string, program: string): string[] {
  const stats = statSync(program);
  if (!stats.isFile() || (stats.mode & 0o111) === 0) return [];
  const [folder, packages] = [dirname(program), packagesOf(program)];
  if (packages !== folder && packages !== program && isWithin(around, packages)) return [packages];
  const parent = dirname(folder);
  const isApart = (one: string): boolean => one !== around && isWithin(around, one);
  if (basename(folder) === 'bin' && isApart(parent) && isInstallation(parent)) return [folder, parent];
  const environment = virtualEnvironmentOf(program);
  if (environment !== undefined && isApart(environment)) return [environment];
  if (isApart(folder) && isInstallation(folder)) return [folder];
  const names = relative(around, program).split(sep);
  return names.some((name, index) => isSecretName(name, index < names.length - 1)) ? [] : [program];
}

/** Whether a folder holds nothing but an installation. */
function isInstallation(folder: string): boolean {
  const entries = entriesIn(folder);
  const hasLibraries = entries.some(({ name }) => /^lib(?:32|64|exec)?$/.test(name));
  return hasLibraries && !entries.some((entry) => isSecretName(entry.name, entry.isDirectory()));
}

/**
 * The folder of a program, or the outermost `node_modules` that it is in; the program alone if its folder is not its own.
 */
export function packagesOf(program: string): string {
  const parts = program.split(sep);
  const at = parts.indexOf('node_modules');
  return at < 0 ? placeOf(program) : join('/', ...parts.slice(0, at + 1));
}
