import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { openShadow, type Shadow } from '#world/git/repository/shadow.ts';

/** The maximum size of a file of a review that is read, in bytes. */
const blobBytes = 64 * 1024 * 1024;

/** Git on a repository's objects, and on those that `borrow` holds: without files, index or attributes. */
export function openObjects(at: GitDirectory, borrow: readonly Shadow[] = []): Promise<Shadow> {
  const stored = { ...at, workTree: undefined };
  return openShadow(stored, { headSha: undefined, index: 'none', objects: 'discard', borrow });
}

/** The size of each object in bytes; undefined for a missing one. */
export async function sizesOf(objects: Shadow, oids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const wanted = [...new Set(oids)];
  if (wanted.length === 0) return new Map();
  const args = ['cat-file', '--batch-check=%(objectname) %(objectsize)'];
  const { stdout } = await objects.git(args, { input: wanted.map((oid) => `${oid}\n`).join('') });
  const lines = stdout.toString('latin1').split('\n').slice(0, -1);
  return new Map(
    lines.flatMap((line): [string, number][] => {
      const [oid = '', size = ''] = line.split(' ');
      return /^\d+$/.test(size) ? [[oid, Number(size)]] : [];
    }),
  );
}

/** The content of an object. */
export async function contentOf(objects: Shadow, oid: string): Promise<Buffer> {
  return (await objects.git(['cat-file', 'blob', oid], { maxOutputBytes: blobBytes })).stdout;
}
