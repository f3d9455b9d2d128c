import { join } from 'node:path';
import { readRegularFile } from '#world/file/regular-file.ts';
import { readReflog } from '#world/git/checkout/reflog.ts';
import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { hasAll, submoduleGit } from './submodule-work.ts';

/**
 * Whether a repository that a tool may have cloned has commits or stashes that are on none of its remotes. Tags count
 * as fetched: remotes have tags off their branches, and a shallow clone of a tag has nothing else. Commits that were
 * made here count although a tag names them. What was fetched last counts as on a remote: a shallow fetch of one commit
 * leaves no reference of it.
 */
export async function hasOwnCommits(at: GitDirectory): Promise<boolean> {
  const saved = ['--not', '--remotes', ...(await lastFetched(at))];
  // All references but tags: branches, HEAD and the newest stash, too.
  const untagged = ['--exclude=refs/tags/*', '--all', ...saved, '--tags'];
  if ((await commits(at, ['--max-count=1', ...untagged])).length > 0) return true;
  const made = await madeHere(at);
  if (made.size === 0) return false;
  return (await commits(at, ['--all', ...saved])).some((sha) => made.has(sha));
}

async function commits(at: GitDirectory, range: readonly string[]): Promise<string[]> {
  const { stdout } = await submoduleGit(at, ['rev-list', ...range, '--']);
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** A commit of the last fetch. Its source is a URL or a path on a host: a folder might be deleted with the worktree. */
const fetched = /^([0-9a-f]{40,64})\t.*(?:^|\s)(?:[a-z+]+:\/\/|[^\s/]+:)\S*$/;

/** What was fetched last and is still there. */
async function lastFetched(at: GitDirectory): Promise<string[]> {
  const file = await readRegularFile(join(at.gitDir, 'FETCH_HEAD'), { maxBytes: 1024 * 1024, followLinks: true });
  const lines = file?.content.toString('utf8').split('\n') ?? [];
  const names = lines.flatMap((line) => fetched.exec(line)?.[1] ?? []);
  return names.length > 0 && (await hasAll(at, names)) ? names : [];
}

/** How git logs that HEAD names another commit that existed before. */
const chosen = /^(?:clone|checkout|reset|branch)\b|: [Ff]ast-forward$/;

/** The commits that were made in a repository, by its log of HEAD. */
async function madeHere({ gitDir }: GitDirectory): Promise<ReadonlySet<string>> {
  const entries = await readReflog(gitDir, 'HEAD');
  return new Set(entries.filter(({ message }) => !chosen.test(message)).map(({ sha }) => sha));
}
