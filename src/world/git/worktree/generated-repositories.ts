import { readdir } from 'node:fs/promises';
import { noneIfMissing } from '#world/file/directory.ts';
import { bytesOf } from '#world/git/repository/git-paths.ts';

/**
 * The repositories in folders of a worktree that tools make again, where nobody would look for work: the topmost ones, bare
 * or not. Links are not followed. Paths are in Latin-1, those of folders with a trailing slash.
 */
export async function generatedRepositories(workTree: string, folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const waiting = [...folders];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const folder = at;
    const entries = await readdir(bytesOf(workTree, folder), { withFileTypes: true, encoding: 'latin1' }).catch(
      noneIfMissing,
    );
    const names = new Set(entries.map(({ name }) => name));
    if (names.has('.git') || ['HEAD', 'objects', 'refs'].every((name) => names.has(name)))
      found.push(folder.slice(0, -1));
    else waiting.push(...entries.filter((one) => one.isDirectory()).map(({ name }) => `${folder}${name}/`));
  }
  return found;
}
