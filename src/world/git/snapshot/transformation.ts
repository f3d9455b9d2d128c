import { joinPaths, splitPaths } from '#world/git/repository/git-paths.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';

/** The attributes of a file by which git stores other content than it has. */
export interface Transformation {
  readonly isIdentified: boolean;
  readonly encoding: string | undefined;
}

/** Those attributes of each of these files, within a time limit in milliseconds. Latin-1 paths. */
export async function transformationsOf(
  shadow: Shadow,
  paths: readonly string[],
  timeoutMs: number,
): Promise<ReadonlyMap<string, Transformation>> {
  if (paths.length === 0) return new Map();
  const args = ['check-attr', '-z', '--stdin', 'ident', 'working-tree-encoding'];
  const fields = splitPaths((await shadow.git(args, { input: joinPaths(paths), timeoutMs })).stdout);
  const attributes = new Map<string, Transformation>();
  for (let at = 0; at + 5 < fields.length; at += 6) {
    const [path = '', , ident = '', , , encoding = ''] = fields.slice(at, at + 6);
    const isEncoded = encoding !== 'unspecified' && encoding !== 'unset';
    attributes.set(path, { isIdentified: ident === 'set', encoding: isEncoded ? encoding : undefined });
  }
  return attributes;
}
