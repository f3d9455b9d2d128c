import { lstatSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { isWithin } from '#world/within.ts';

/** A part of the file system as an isolated program sees it. */
export interface Mount {
  /** The absolute path inside. */
  readonly at: string;
  /** What is shown there; the same path if absent. */
  readonly from?: string;
  /** `empty`: a new, empty folder in memory is shown in its place. */
  readonly access: 'read' | 'write' | 'empty';
  /** Whether files that not every user may read stay hidden in it: it repeats a part of the system. */
  readonly isOfSystem?: true;
}

/**
 * Shows what is at a path of this host, with links resolved, at the same path inside; nothing if nothing is there, or the
 * path is not absolute.
 */
export function shownAt(at: string, access: 'read' | 'write'): Mount[] {
  // An empty path would be resolved to the working directory.
  const from = at.startsWith('/') ? realPath(at) : undefined;
  return from === undefined ? [] : [{ at, from, access }];
}

/** The same for a program or what it needs, which may be a part of the system: what is hidden there stays hidden. */
export function shownOfSystem(at: string): Mount[] {
  return shownAt(at, 'read').map((mount) => ({ ...mount, isOfSystem: true }));
}

/** A path with links resolved; undefined if nothing is there. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** What of the system is still to be hidden: what is within another mount than one of the system was asked for. */
export function stillHidden(hidden: readonly Mount[], mounts: readonly Mount[]): Mount[] {
  const asked = mounts.filter(({ isOfSystem }) => !isOfSystem).flatMap(({ at }) => [at, realPath(at) ?? at]);
  return hidden.filter(({ at }) => !asked.some((folder) => isWithin(folder, at)));
}

/** Mounts in the order in which they are made: outer folders first. Of several at one path, the last counts. */
export function inOrder(mounts: readonly Mount[]): Mount[] {
  const last = new Map(mounts.map((mount) => [mount.at, mount]));
  return [...last.values()].sort(({ at: one }, { at: other }) => (one < other ? -1 : 1));
}

/**
 * Checks mounts inside a folder that an isolated program can write to: what it left there could be a link, which the
 * next mount would follow to a place outside.
 * @throws ISOLATION_UNSAFE when there is a link on the way
 */
export function checkUnlinked(mounts: readonly Mount[]): void {
  for (const { at, from = at, access } of mounts) {
    const outer = mounts.filter((one) => one.access === 'write' && one.at !== at && isWithin(one.at, at));
    for (const one of outer) {
      const { from: source = one.at } = one;
      const link =
        firstLink(source, source + at.slice(one.at.length)) ??
        (from === at && access !== 'empty' ? firstLink(one.at, at) : undefined);
      if (link === undefined) continue;
      throw new Failure(
        'ISOLATION_UNSAFE',
        `cannot be isolated: ${link} is a symbolic link in a folder that isolated agents can write to: remove it, then retry`,
      );
    }
  }
}

/** The first symbolic link below a folder on the way to a path; undefined if there is none. */
function firstLink(folder: string, path: string): string | undefined {
  if (path.length <= folder.length) return undefined;
  const found = lstatSync(path, { throwIfNoEntry: false });
  return firstLink(folder, dirname(path)) ?? (found?.isSymbolicLink() ? path : undefined);
}
