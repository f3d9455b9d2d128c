import { lineOf } from '#world/git/repository/repository.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';

const date = '2000-01-01T00:00:00Z';
const env = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
const settings = ['merge.renames=true', 'merge.directoryRenames=false', 'merge.renormalize=false'];

/**
 * The tree that results from merging two trees with a third one as their base; undefined on a conflict, and with git
 * before 2.38. Each is a tree, or a commit whose history is ignored.
 */
export async function mergedTree(
  objects: Shadow,
  sides: { readonly base: string; readonly ours: string; readonly theirs: string },
): Promise<string | undefined> {
  // Git finds the base by history only, so the three are given one.
  const root = await commit(objects, sides.base, []);
  const [ours, theirs] = await Promise.all([
    commit(objects, sides.ours, ['-p', root]),
    commit(objects, sides.theirs, ['-p', root]),
  ]);
  const config = settings.flatMap((setting) => ['-c', setting]);
  const args = [...config, 'merge-tree', '--write-tree', '--no-messages', ours, theirs];
  const output = await objects.git(args, { exitCodes: [0, 1, 128, 129], timeoutMs: 60_000 });
  return output.exitCode === 0 ? lineOf(output) : undefined;
}

/** The trees of commits or trees, in order; undefined for an object that does not exist. */
export async function treesOf(objects: Shadow, shas: readonly string[]): Promise<readonly (string | undefined)[]> {
  const input = shas.map((sha) => `${sha}^{tree}\n`).join('');
  const { stdout } = await objects.git(['cat-file', '--batch-check=%(objectname)'], { input });
  const lines = stdout.toString('latin1').split('\n').slice(0, -1);
  return lines.map((line) => (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(line) ? line : undefined));
}

async function commit(objects: Shadow, tree: string, parents: readonly string[]): Promise<string> {
  return lineOf(await objects.git(['commit-tree', ...parents, '-m', 'merge', `${tree}^{tree}`], { env }));
}
