import { realpathSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { isOwnFolder } from '#world/program/find-program.mjs';
import { isWithin } from '#world/within.ts';
import { ownFolder } from './own-programs.ts';

/** Variables that muster, npm and terminals set, which no agent may inherit. */
const own = /^(?:MUSTER_|SERVICE_|npm_|NODE_OPTIONS$|NODE_CHANNEL_|INIT_CWD$|TMUX|TERM_PROGRAM|COLUMNS$|LINES$)/;

/**
 * The variables of a person's environment that all their agents and scripts get: who and where they are, and how the
 * network is reached.
 */
const shared =
  /^(?:PATH|HOME|SHELL|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|TERM|COLORTERM|XDG_[A-Z_]+|SSH_AUTH_SOCK|(?:HTTPS?|NO|ALL)_PROXY|(?:https?|no|all)_proxy|SSL_CERT_FILE|SSL_CERT_DIR|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|GIT_SSL_CAINFO)$/;

/**
 * The person's own environment, without what muster and npm added, and with the folder that contains `muster` first on
 * the PATH. Its terminal type is that of the pane, whatever terminal muster was started in, because CLIs draw different
 * frames if they have fewer colours. Only the person's own commands get all of it.
 */
export function baseEnvironment(env: NodeJS.ProcessEnv, binFolder: string): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !own.test(entry[0]),
  );
  const path = withoutNpm((env['PATH'] ?? '').split(delimiter), ownFolder);
  const terminal = { TERM: 'screen-256color', COLORTERM: 'truecolor' };
  return { ...Object.fromEntries(kept), ...terminal, PATH: [binFolder, ...path].join(delimiter) };
}

/**
 * The folders of a PATH without those that npm put there to run the program in `own`: its programs, those of each
 * folder above it, and then npm's own. Any other `node_modules/.bin` is the person's: their CLIs may be in it.
 */
export function withoutNpm(folders: readonly string[], own: string): string[] {
  const plain = folders.map((folder) => folder.replace(/(?<=.)\/+$/, ''));
  const ends = plain.findLastIndex(isNpmOwn);
  const added = new Set(withAllAbove(resolve(own)).map((folder) => join(folder, 'node_modules', '.bin')));
  const [first] = added;
  return folders.filter((_, at) => {
    const folder = plain[at] ?? '';
    return !isNpmOwn(folder) && folder !== first && !(at < ends && added.has(folder));
  });
}

const isNpmOwn = (folder: string): boolean => basename(folder) === 'node-gyp-bin';

function withAllAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...withAllAbove(above)];
}

/**
 * The part of a person's environment that terminals, agents and scripts get: the shared variables, and those that are
 * named. A name that ends with `*` stands for all names with that beginning.
 */
export function agentEnvironment(
  person: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  const isNamed = (variable: string) =>
    names.some((name) => (name.endsWith('*') ? variable.startsWith(name.slice(0, -1)) : variable === name));
  return Object.fromEntries(Object.entries(person).filter(([variable]) => shared.test(variable) || isNamed(variable)));
}

/**
 * An environment with what a workflow adds: `NAME` is passed on if the person's environment has it, `NAME=value` is
 * set, replacing any other value.
 */
export function withAdditions(
  given: Readonly<Record<string, string>>,
  person: Readonly<Record<string, string>>,
  additions: readonly string[] = [],
): Record<string, string> {
  const added = additions.flatMap((entry) => {
    const end = entry.indexOf('=');
    const name = end < 0 ? entry : entry.slice(0, end);
    const value = end < 0 ? person[name] : entry.slice(end + 1);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...given, ...Object.fromEntries(added) };
}

/**
 * Where CLIs are searched: the absolute folders of a PATH that only root and the person can change, and that are not
 * inside folders that others can write to, such as worktrees.
 */
export function programPath(path: string, filled: readonly string[]): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && isTrusted(folder, filled))
    .join(delimiter);
}

/** The `programPath` of a host with this state folder. */
export function programPathOf(path: string, home: string): string {
  return programPath(
    path,
    ['bin', 'worktrees', 'tmp'].map((folder) => join(home, folder)),
  );
}

function isTrusted(folder: string, filled: readonly string[]): boolean {
  if (!isOwnFolder(folder)) return false;
  const places = [folder, realpathSync(folder)];
  return !filled.flatMap((one) => [one, realOf(one)]).some((one) => places.some((place) => isWithin(one, place)));
}

/** A path with links resolved, as far as it exists; a state folder may be a link itself. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realOf(dirname(path)), basename(path));
  }
}
