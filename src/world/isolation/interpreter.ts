import { closeSync, existsSync, openSync, readlinkSync, readSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { realPath } from './mount.ts';
import { entriesIn } from './secret-names.ts';

/** How much of a program is read to find its first line, in bytes: more than a kernel reads. */
const maxFirstLine = 512;
/** The maximum number of links that lead from one to the next. */
const maxLinks = 40;

/**
 * The programs that interpret a script: the one that its first line names or that its virtual environment has, and each
 * to which a link leads from there. Empty for programs that are no scripts.
 * @param path the PATH on which `env` finds an interpreter
 */
export function interpretersOf(program: string, path: string): string[] {
  const named = interpreterNamedBy(program);
  const first = named?.startsWith('/') === false ? onPath(named, path) : named;
  const own = virtualEnvironmentOf(program);
  return [...(first === undefined ? [] : [first]), ...(own === undefined ? [] : [join(own, 'bin', 'python')])].flatMap(
    (file) => linksFrom(file, maxLinks),
  );
}

/** The virtual environment of Python that a program is in; undefined if there is none. */
export function virtualEnvironmentOf(program: string): string | undefined {
  const folder = dirname(dirname(program));
  return existsSync(join(folder, 'pyvenv.cfg')) ? folder : undefined;
}

/** The packages that pip installed for the person beside a script of Python, such as in `~/.local`. */
export function pythonPackages(program: string): string[] {
  if (!/^python[\d.]*$/.test(basename(interpreterNamedBy(program) ?? ''))) return [];
  const folder = join(dirname(dirname(program)), 'lib');
  const versions = entriesIn(folder).filter(({ name }) => /^python\d/.test(name));
  return versions.map(({ name }) => join(folder, name, 'site-packages')).filter((packages) => existsSync(packages));
}

/** The interpreter in the first line of a script: a path, or a name that `env` looks up. */
function interpreterNamedBy(program: string): string | undefined {
  const [file, ...args] = /^#! *(.*)/.exec(beginningOf(program))?.[1]?.trim().split(/\s+/) ?? [];
  if (file === undefined || basename(file) !== 'env') return file;
  return args.find((word) => !/^-|=/.test(word));
}

function onPath(name: string, path: string): string | undefined {
  const files = path.split(delimiter).map((folder) => join(folder, name));
  return files.find((file) => file.startsWith('/') && existsSync(file));
}

/** Empty if it may not be read: a program may be there to start alone. */
function beginningOf(program: string): string {
  const buffer = Buffer.alloc(maxFirstLine);
  let file: number | undefined;
  try {
    file = openSync(program, 'r');
    return buffer.toString('latin1', 0, readSync(file, buffer));
  } catch {
    return '';
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** A path, each to which a link leads from there, and where the last one really is. */
function linksFrom(path: string, links: number): string[] {
  const real = realPath(path);
  if (real === undefined) return [];
  const next = links > 0 ? linkAt(path) : undefined;
  return next === undefined ? [path, real] : [path, ...linksFrom(next, links - 1)];
}

function linkAt(path: string): string | undefined {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return undefined;
  }
}
