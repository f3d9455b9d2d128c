import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LeftOut } from '#contract/wire/review-calls.ts';
import type { GitFixture } from '../git-fixture.ts';

/** A checkout that is to be snapshotted. */
export interface Scene {
  readonly fixture: GitFixture;
  /** The checkout's name below the fixture's root. */
  readonly name: string;
  git(...args: string[]): string;
  write(path: string, content: string | Buffer, mode?: number): string;
  path(path: string): string;
}

/**
 * What is in a snapshot: a file's content; `{mode, content}`; a link's target with its mode; undefined: it is not
 * there.
 */
export type Expected = string | { readonly mode: string; readonly content?: string } | undefined;

export interface SnapshotCase {
  readonly what: string;
  /** Another checkout than the plain one; gives its name. */
  readonly make?: (fixture: GitFixture) => string;
  readonly edit?: (scene: Scene) => void;
  readonly holds: Readonly<Record<string, Expected>>;
  readonly leftOut?: readonly LeftOut[];
  /** Set if HEAD has no commit. */
  readonly unborn?: true;
}

/** What the plain checkout holds. */
export const plain = { 'a.txt': 'one\n', 'b.txt': 'two\n', 'dir/c.txt': 'three\n', '.gitignore': '*.log\n' } as const;

/** The plain checkout: four files and no more. */
export function plainRepository(fixture: GitFixture, name = 'r'): string {
  fixture.repository(name, plain);
  return name;
}

/** The plain checkout with settings of its own. */
export function configured(...settings: readonly (readonly [string, string])[]): (fixture: GitFixture) => string {
  return (fixture) => {
    const name = plainRepository(fixture);
    for (const [key, value] of settings) fixture.git(name, 'config', key, value);
    return name;
  };
}

/** The same edits in many kinds of checkout. */
export const edited = ({ write }: Scene): void => {
  write('a.txt', 'changed\n');
  write('new.txt', 'new\n');
};
/** The same edits after something else. */
export function andEdited(first: (scene: Scene) => unknown): (scene: Scene) => void {
  return (scene) => {
    first(scene);
    edited(scene);
  };
}
/** How a checkout looks after the same edits. */
export const asEdited = { 'a.txt': 'changed\n', 'b.txt': 'two\n', 'new.txt': 'new\n' } as const;

/** Everything that a snapshot must not touch: index, HEAD, stashes and branches, byte for byte. */
export function untouched(fixture: GitFixture, name: string): string {
  const gitDir = fixture.git(name, 'rev-parse', '--absolute-git-dir');
  const read = (file: string): string => {
    try {
      return readFileSync(join(gitDir, file)).toString('base64');
    } catch {
      return 'none';
    }
  };
  const files = ['index', 'HEAD', 'config', 'logs/HEAD', 'logs/refs/stash', 'ORIG_HEAD', 'MERGE_HEAD'].map(read);
  const branches = fixture.git(name, 'for-each-ref', 'refs/heads', 'refs/tags', 'refs/remotes', 'refs/stash');
  return [...files, branches].join('\n');
}
