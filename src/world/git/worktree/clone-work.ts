import { readReflog } from '#world/git/checkout/reflog.ts';
import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { submoduleGit } from './submodule-work.ts';

/**
 * Whether a repository that a tool may have cloned has commits or stashes that are on none of its remotes. Tags count
 * as fetched: remotes have tags off their branches, and a shallow clone of a tag has nothing else. Commits that were
 * made here count although a tag names them.
 */
export async function hasOwnCommits(at: GitDirectory): Promise<boolean> {
  // All references but tags: branches, HEAD and the newest stash, too.
  const untagged = ['--exclude=refs/tags/*', '--all', '--not', '--remotes', '--tags'];
  if ((await commits(at, ['--max-count=1', ...untagged])).length > 0) return true;
  const made = await madeHere(at);
  if (made.size === 0) return false;
  return (await commits(at, ['--all', '--not', '--remotes'])).some((sha) => made.has(sha));
}

async function commits(at: GitDirectory, range: readonly string[]): Promise<string[]> {
  const { stdout } = await submoduleGit(at, ['rev-list', ...range, '--']);
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** How git logs that HEAD names another commit that existed before. */
const chosen = /^(?:clone|checkout|reset|branch)\b|: [Ff]ast-forward$/;

/** The commits that were made in a repository, by its log of HEAD. */
async function madeHere({ gitDir }: GitDirectory): Promise<ReadonlySet<string>> {
  const entries = await readReflog(gitDir, 'HEAD');
  return new Set(entries.filter(({ message }) => !chosen.test(message)).map(({ sha }) => sha));
}
