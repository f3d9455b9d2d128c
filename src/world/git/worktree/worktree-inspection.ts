import { realpath, stat } from 'node:fs/promises';
import { isSequenceInProgress, readHeadSha } from '#world/git/checkout/checkout.ts';
import { fillIndex, type IndexContent } from '#world/git/checkout/own-index.ts';
import { readReflog } from '#world/git/checkout/reflog.ts';
import { submoduleAt } from '#world/git/checkout/submodule-link.ts';
import { baseTips, unsavedCommits } from '#world/git/checkout/unsaved-commits.ts';
import { type CheckoutFolder, findGitDirectory, type GitDirectory } from '#world/git/repository/git-directory.ts';
import { waitForIndexLock } from '#world/git/repository/git-lock.ts';
import { bytesOf, shownPath } from '#world/git/repository/git-paths.ts';
import { openRepository } from '#world/git/repository/repository.ts';
import { openShadow } from '#world/git/repository/shadow.ts';
import { hiddenFiles, listFiles } from '#world/git/snapshot/hidden-files.ts';
import { sortIgnored } from '#world/git/snapshot/ignored-files.ts';
import { nestedRepositories } from '#world/git/snapshot/nested-files.ts';
import { overPlainFiles } from '#world/git/snapshot/plain-lists.ts';
import { absentSubmodules } from './absent-submodules.ts';
import { changedPaths } from './changed-paths.ts';
import { hasOwnCommits } from './clone-work.ts';
import { generatedRepositories } from './generated-repositories.ts';
import { carriedSubmodule } from './submodule-work.ts';
import { branchTip, heldBase } from './worktree-branch.ts';
import {
  directoryOf,
  isCutShort,
  pointerOf,
  resolveExistingPath,
  type WorktreeEntry,
  worktreeEntries,
} from './worktree-entry.ts';

/** How long reading all files of a worktree before its removal may take, in milliseconds. */
export const removalReadMs = 120_000;

export interface WorktreeQuestion {
  /** Any folder of the repository, but not of the worktree: what the worktree claims about itself is not trusted. */
  readonly repository: string;
  readonly path: string;
  /** The branch that the worktree was made with. */
  readonly branch: string;
  /** The branch to merge the work into. By default origin/HEAD, main and master, here and on origin. */
  readonly base?: string;
  /** The files that `copyFiles` copied. */
  readonly copied?: readonly string[];
  /** The checkout whose ignored files and submodules were copied. Unchanged copies are not work that could be lost. */
  readonly original?: string | undefined;
  /**
   * The ignored folders that count as made again by tools, by name or path. By default the usual ones, and files that
   * compilers make.
   */
  readonly buildFolders?: readonly string[] | undefined;
  /**
   * The reason that the worktree was ordered with, if it was never handed to an agent. A worktree that is locked with
   * it and was not fully checked out contains no work.
   */
  readonly unfinished?: string;
}

/** The content of an existing worktree. Paths are relative to it. */
export interface WorktreeFacts {
  /** Whether its branch has no commit yet. */
  readonly unborn: boolean;
  readonly sequenceInProgress: boolean;
  /** Files with conflicts in the index, which `git stash pop` leaves without a merge in progress. */
  readonly conflicts: readonly string[];
  /** Tracked files that differ from the commit, staged or not. */
  readonly changed: readonly string[];
  /** Files that git does not know, apart from copied ones, and folders that it cannot open. */
  readonly untracked: readonly string[];
  /** Ignored files, apart from copied ones and those that tools regenerate. */
  readonly ignored: readonly string[];
  /** Stashes that were made on the branch. */
  readonly stashes: number;
  /** Commits of HEAD and of the branch that are on no remote and whose content is not in the base either. */
  readonly unheldCommits: number;
  /** Submodules and other nested repositories, apart from copied submodules without changes. */
  readonly repositories: readonly string[];
  /** Submodules that are not checked out any more, with commits that are on none of their remotes. */
  readonly absentSubmodules: readonly string[];
  /** Whatever is named `.git` and is not a repository: git cannot store it. */
  readonly hidden: readonly string[];
}

/**
 * `gone`: neither folder nor record is left. `missing`: only the record is. `foreign`: the folder is not that worktree.
 */
export type WorktreeInspection =
  | { readonly state: 'gone' }
  | {
      readonly state: 'missing';
      readonly entry: WorktreeEntry;
      readonly unheldCommits: number;
      readonly absentSubmodules: readonly string[];
    }
  | { readonly state: 'foreign'; readonly why: string }
  | { readonly state: 'present'; readonly entry: WorktreeEntry; readonly facts: WorktreeFacts };

/**
 * Inspects a worktree before it is removed. Nothing that the repository configures is run, and the worktree's index is
 * not written.
 * @throws Failure when a fact cannot be determined, because a removal would then be unsafe
 */
export async function inspectWorktree(question: WorktreeQuestion): Promise<WorktreeInspection> {
  const at = await openRepository(question.repository);
  const path = await resolveExistingPath(question.path);
  const { unfinished } = question;
  const entries = await worktreeEntries(at.commonDir);
  const entry =
    entries.find((one) => one.path === path) ?? entries.find((one) => unfinished && isCutShort(one, unfinished));
  const isThere = (await stat(path).catch(() => undefined)) !== undefined;
  if (entry === undefined) {
    return isThere
      ? { state: 'foreign', why: `${path} is not a linked worktree of this repository` }
      : { state: 'gone' };
  }
  const isMine = unfinished !== undefined && entry.lockReason === unfinished;
  if (isMine && !(await waitForIndexLock(entry.adminDir))) {
    return isThere && entry.path === path
      ? { state: 'present', entry, facts: nothing }
      : { state: 'missing', entry, unheldCommits: 0, absentSubmodules: [] };
  }
  const bases = [...(await baseTips(at, question.base)), ...(await heldBase(at, question.branch))];
  const directory = directoryOf(entry, at.commonDir, path);
  const headSha = await readHeadSha(directory);
  if (!isThere) {
    // The branch outlives the record, so only commits of a detached HEAD that no branch has would be lost.
    const detached = entry.branch === undefined && headSha !== undefined ? [headSha] : [];
    return {
      state: 'missing',
      entry,
      unheldCommits: await unsavedCommits(at, detached, bases),
      absentSubmodules: await absentSubmodules(directory, { present: new Set(), original: question.original }),
    };
  }
  if ((await pointerOf(path)) !== entry.adminDir) {
    return { state: 'foreign', why: `${path}/.git no longer points to this repository` };
  }
  const tips = [headSha, await branchTip(at, question.branch)].filter((tip) => tip !== undefined);
  const commits = await unsavedCommits(at, [...new Set(tips)], bases);
  return { state: 'present', entry, facts: await factsOf(directory, path, headSha, question, commits) };
}

/** The content of an unfinished worktree. */
const nothing: WorktreeFacts = {
  unborn: false,
  sequenceInProgress: false,
  conflicts: [],
  changed: [],
  untracked: [],
  ignored: [],
  stashes: 0,
  unheldCommits: 0,
  repositories: [],
  absentSubmodules: [],
  hidden: [],
};

/** The facts as sentences against a removal; empty if nothing would be lost. */
export function reasonsAgainstRemoval(facts: WorktreeFacts): string[] {
  const {
    changed,
    untracked,
    ignored,
    repositories,
    absentSubmodules,
    hidden,
    stashes,
    unheldCommits: commits,
  } = facts;
  const reasons = [
    facts.sequenceInProgress && 'a merge, rebase or cherry-pick is in progress: finish or abort it',
    changed.length > 0 && `${counted(changed.length, 'changed file')} not committed: ${some(changed)}`,
    untracked.length > 0 && `${counted(untracked.length, 'untracked file')}: ${some(untracked)}`,
    ignored.length > 0 && `${counted(ignored.length, 'ignored file')} that nothing makes again: ${some(ignored)}`,
    stashes > 0 && `${counted(stashes, 'stash', 'stashes')} made on its branch`,
    commits > 0 && `${counted(commits, 'commit')} on no remote and not in the base branch: push or merge first`,
    repositories.length > 0 && `submodules or repositories of their own: ${some(repositories)}`,
    ...reasonsOfAbsent(absentSubmodules),
    hidden.length > 0 && `named .git but not a repository, so git cannot store it: ${some(hidden)}`,
  ];
  return reasons.filter((reason) => reason !== false);
}

/** What submodules that are not checked out any more say against a removal. */
export function reasonsOfAbsent(names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`submodules not checked out, with commits on no remote: ${some(names)}`];
}

/** What is asked of a checkout: of a worktree, or of a repository within one. */
interface FactsQuestion extends WorktreeQuestion {
  /** Whether a tool may have cloned it. Then submodules without work of their own are not work either. */
  readonly isClone?: boolean;
}

async function factsOf(
  at: GitDirectory,
  path: string,
  headSha: string | undefined,
  question: FactsQuestion,
  commits: number,
): Promise<WorktreeFacts> {
  const copied = new Set((question.copied ?? []).map((name) => Buffer.from(name).toString('latin1')));
  const checkout = { ...at, workTree: path };
  await using shadow = await openShadow(checkout, { headSha, index: 'shadow', objects: 'discard' });
  const look = async (): Promise<WorktreeFacts> => {
    const index = await fillIndex(shadow, checkout, headSha, 'everything');
    const { lines, closed } = await listFiles(shadow, ['--others']);
    const untracked = [...lines, ...closed];
    const ignoredPaths = (await listFiles(shadow, ['--others', '--ignored', '--directory'])).lines;
    const { original, buildFolders } = question;
    const { own, generated } = await sortIgnored(path, ignoredPaths, { copied, original, buildFolders });
    const inGenerated = await generatedRepositories(path, generated);
    // Folders that a person names are deleted only without any repository in them.
    const kept = buildFolders === undefined ? await withOwnWork(path, inGenerated, question) : inGenerated;
    const changed = await changedPaths(shadow, path, index);
    const nested = await nestedRepositories(shadow, path);
    const withinIt = await (question.isClone
      ? withOwnWork(path, nested, question)
      : withWork(checkout, nested, question));
    return {
      unborn: headSha === undefined,
      sequenceInProgress: await isSequenceInProgress(at.gitDir),
      conflicts: shown(conflictsIn(index)),
      changed: shown(changed),
      untracked: shown(untracked.filter((name) => !name.endsWith('/') && !copied.has(name))),
      ignored: shown(own),
      stashes: await countStashes(at.commonDir, question.branch),
      unheldCommits: commits,
      repositories: shown([...withinIt, ...kept]),
      absentSubmodules: await absentSubmodules(at, { present: await gitDirectoriesOf(path, nested), original }),
      hidden: shown(await hiddenFiles(shadow, path)),
    };
  };
  return await overPlainFiles(shadow, checkout, look, removalReadMs);
}

function conflictsIn({ indexed = [] }: IndexContent): readonly string[] {
  return [...new Set(indexed.filter(({ stage }) => stage !== '0').map(({ path }) => path))];
}

async function gitDirectoriesOf(workTree: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await Promise.all(paths.map((path) => submoduleAt(workTree, path)));
  return new Set(found.flatMap((at) => (at === undefined ? [] : [at.gitDir])));
}

/** The nested repositories without copied submodules that have nothing which their original lacks. */
async function withWork(
  worktree: CheckoutFolder,
  paths: readonly string[],
  question: WorktreeQuestion,
): Promise<readonly string[]> {
  const { original } = question;
  if (original === undefined) return paths;
  const holding: string[] = [];
  for (const path of paths) {
    const carried = await carriedSubmodule(worktree, original, path);
    const within = carried && { ...question, copied: [], original: carried.original.workTree };
    const facts = carried && within && (await factsOf(carried.at, carried.at.workTree, carried.headSha, within, 0));
    if (facts === undefined || reasonsAgainstRemoval(facts).length > 0) holding.push(path);
  }
  return holding;
}

/** The repositories with commits, changes or files that are nowhere else. What is no repository after all has none. */
async function withOwnWork(
  workTree: string,
  paths: readonly string[],
  question: WorktreeQuestion,
): Promise<readonly string[]> {
  const holding: string[] = [];
  for (const path of paths) {
    const folder = bytesOf(workTree, path).toString('utf8');
    const at = await findGitDirectory(folder);
    if (at === undefined || (at.workTree ?? at.gitDir) !== (await realpath(folder))) continue;
    if ((await hasOwnCommits(at)) || (await hasChanges(at, question))) holding.push(path);
  }
  return holding;
}

/** Whether a repository's files differ from its commit; ignored ones are made again, as the folder around it is. */
async function hasChanges(at: GitDirectory, question: WorktreeQuestion): Promise<boolean> {
  if (at.workTree === undefined) return false;
  const within = { ...question, copied: [], original: undefined, isClone: true };
  const found = await factsOf(at, at.workTree, await readHeadSha(at), within, 0);
  return reasonsAgainstRemoval({ ...found, ignored: [] }).length > 0;
}

/** Stashes belong to the repository; each one's log line says which branch it was made on. */
async function countStashes(commonDir: string, branch: string): Promise<number> {
  const messages = (await readReflog(commonDir, 'refs/stash')).map(({ message }) => message);
  return messages.filter((text) => text.startsWith(`WIP on ${branch}:`) || text.startsWith(`On ${branch}:`)).length;
}

function shown(paths: readonly string[]): string[] {
  return paths.map(shownPath);
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The first names, without characters that could control the terminal or log that shows them. */
function some(names: readonly string[]): string {
  const first = names
    .slice(0, 5)
    .join(', ')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
  return names.length > 5 ? `${first}, …` : first;
}
