import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { splitPaths } from '#world/git/repository/git-paths.ts';
import { commitsOf, repositoryGit } from '#world/git/repository/repository.ts';
import { openShadow, type Shadow } from '#world/git/repository/shadow.ts';

/**
 * How many commits would be lost with these tips: those on no remote and not in a base branch. A tip whose whole
 * content is in a base (squashed, rebased, cherry-picked) counts as none. In doubt, commits count.
 */
export async function unsavedCommits(
  at: GitDirectory,
  tips: readonly string[],
  bases: readonly string[],
): Promise<number> {
  const held = await Promise.all(tips.map((tip) => isHeldByAny(at, tip, bases)));
  const loose = tips.filter((_, index) => !held[index]);
  return loose.length === 0 ? 0 : countLoose(at, loose, bases);
}

/** The existing tips of the base branch, local and on origin. */
export async function baseTips(at: GitDirectory, base: string | undefined): Promise<string[]> {
  const names =
    base === undefined
      ? [
          'refs/remotes/origin/HEAD',
          'refs/remotes/origin/main',
          'refs/remotes/origin/master',
          'refs/heads/main',
          'refs/heads/master',
        ]
      : [`refs/heads/${base}`, `refs/remotes/origin/${base}`, `refs/remotes/${base}`];
  const tips = await commitsOf(at, names);
  return [...new Set(tips.filter((tip) => tip !== undefined))];
}

async function countLoose(at: GitDirectory, tips: readonly string[], bases: readonly string[]): Promise<number> {
  const revisions = [...tips, '--not', '--remotes', ...bases];
  const { stdout } = await repositoryGit(at, ['rev-list', '--count', ...revisions, '--']);
  return Number.parseInt(stdout.toString('utf8'), 10);
}

async function isHeldByAny(at: GitDirectory, tip: string, bases: readonly string[]): Promise<boolean> {
  if ((await countLoose(at, [tip], bases)) === 0) return true;
  const bare = { ...at, workTree: undefined };
  await using shadow = await openShadow(bare, { headSha: tip, index: 'none', objects: 'discard' });
  for (const base of bases) {
    if (await isContentHeld(at, shadow, tip, base).catch(() => false)) return true;
  }
  return false;
}

/** Whether the base equals the tip in every path that the tip touched, or merging the tip would change nothing. */
async function isContentHeld(at: GitDirectory, shadow: Shadow, tip: string, base: string): Promise<boolean> {
  const { stdout, exitCode } = await repositoryGit(at, ['merge-base', tip, base], { exitCodes: [0, 1] });
  const fork = stdout.toString('utf8').trim();
  if (exitCode !== 0 || fork === '') return false;
  const touched = await changedPaths(shadow, fork, tip);
  // Commits that cancel each other out cannot be found in the base, so they count as not held.
  if (touched.length === 0) return false;
  const differing = new Set(await changedPaths(shadow, tip, base));
  if (!touched.some((path) => differing.has(path))) return true;
  return (await mergedTree(shadow, base, tip)) === (await treeOf(shadow, base));
}

async function changedPaths(shadow: Shadow, from: string, to: string): Promise<string[]> {
  const { stdout } = await shadow.git([
    'diff-tree',
    '-r',
    '-z',
    '--ignore-submodules=none',
    '--name-only',
    '--no-renames',
    from,
    to,
    '--',
  ]);
  return splitPaths(stdout);
}

/** The tree of merging `theirs` into `ours`; undefined on a conflict, and with git before 2.38. */
async function mergedTree(shadow: Shadow, ours: string, theirs: string): Promise<string | undefined> {
  const config = ['-c', 'merge.renames=true', '-c', 'merge.directoryRenames=false', '-c', 'merge.renormalize=false'];
  const args = [...config, 'merge-tree', '--write-tree', '--no-messages', ours, theirs];
  const { stdout, exitCode } = await shadow.git(args, { exitCodes: [0, 1, 128, 129] });
  return exitCode === 0 ? stdout.toString('utf8').trim() : undefined;
}

async function treeOf(shadow: Shadow, commit: string): Promise<string> {
  const { stdout } = await shadow.git(['rev-parse', '--verify', `${commit}^{tree}`]);
  return stdout.toString('utf8').trim();
}
