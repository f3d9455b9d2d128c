import { joinPaths, splitPaths } from '#world/git/repository/git-paths.ts';
import { lineOf } from '#world/git/repository/repository.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';
import type { RoundCommits } from './carry.ts';
import { mergedTree, treesOf } from './three-way.ts';

/**
 * How many commits of the base are searched for one that contained a round, and how many of them are test-merged with
 * it.
 */
const [maxCommits, maxMerges] = [200, 25];

/**
 * The commit of the base, its tip or an older one, that contains everything that a round changed, however it got there:
 * merged, squashed, rebased or cherry-picked, even if the base has changed elsewhere since. Undefined if none does:
 * what was reverted, or landed with different content, does not count. Any base contains a round that changes nothing.
 * Only contents are compared, so the answer never changes.
 */
export async function containingCommit(
  objects: Shadow,
  { baseSha, snapshotSha }: RoundCommits,
  tip: string,
): Promise<string | undefined> {
  const touched = await stateOf(objects, baseSha, snapshotSha);
  const differing = new Set((await stateOf(objects, snapshotSha, tip)).keys());
  const missing = new Set([...touched.keys()].filter((path) => differing.has(path)));
  if (missing.size === 0) return tip;
  const merged = await mergedTree(objects, { base: baseSha, ours: tip, theirs: snapshotSha });
  if (merged !== undefined) return merged === (await treesOf(objects, [tip]))[0] ? tip : undefined;
  return earlierHolder(objects, { baseSha, snapshotSha }, tip, { touched, missing });
}

interface TouchedPaths {
  /** The snapshot's content by touched path. */
  readonly touched: ReadonlyMap<string, string>;
  /** The touched paths at which the tip differs. */
  readonly missing: ReadonlySet<string>;
}

/** Searches back from the tip for a commit that contained the round before later changes overwrote it. */
async function earlierHolder(
  objects: Shadow,
  { baseSha, snapshotSha }: RoundCommits,
  tip: string,
  { touched, missing }: TouchedPaths,
): Promise<string | undefined> {
  const steps = await stepsTo(objects, baseSha, tip, [...touched.keys()]);
  const left = new Set(missing);
  for (const { sha, changes } of steps) {
    for (const { path, before } of changes) {
      if (touched.get(path) === before) left.delete(path);
      else left.add(path);
    }
    if (left.size === 0) return lineOf(await objects.git(['rev-parse', '--verify', `${sha}^1`]));
  }
  for (const { sha } of steps.slice(0, maxMerges)) {
    const merged = await mergedTree(objects, { base: baseSha, ours: sha, theirs: snapshotSha });
    if (merged !== undefined && merged === (await treesOf(objects, [sha]))[0]) return sha;
  }
  return undefined;
}

/** A commit of the base that touched paths of the round, with the state before it. */
interface Step {
  readonly sha: string;
  readonly changes: readonly { readonly path: string; readonly before: string }[];
}

/** The newest commits of the base since the round, along first parents, newest first. */
async function stepsTo(objects: Shadow, baseSha: string, tip: string, paths: readonly string[]): Promise<Step[]> {
  const fork = await objects.git(['merge-base', baseSha, tip], { exitCodes: [0, 1] });
  const since = fork.exitCode === 0 ? [`^${lineOf(fork)}`] : [];
  // Git reads the paths line by line, so a path with a newline cannot be named; all commits are searched then.
  const named = paths.some((path) => path.includes('\n')) ? [] : paths;
  const input = Buffer.from([tip, ...since, '--', ...named, ''].join('\n'), 'latin1');
  const options = [
    '--first-parent',
    '-m',
    '--raw',
    '--no-abbrev',
    '--no-renames',
    '--ignore-submodules=none',
    '-z',
    '--format=%H',
    '-n',
  ];
  const { stdout } = await objects.git(['log', ...options, String(maxCommits), '--stdin'], {
    input,
    timeoutMs: 60_000,
  });
  return stepsOf(splitPaths(Buffer.concat([stdout, joinPaths([''])])), new Set(paths));
}

function stepsOf(fields: readonly string[], wanted: ReadonlySet<string>): Step[] {
  const steps: { sha: string; changes: { path: string; before: string }[] }[] = [];
  for (let at = 0; at < fields.length; at += 1) {
    // With -z a commit's name and its first change may come in one field, separated by a newline.
    for (const part of (fields[at] ?? '').split('\n')) {
      if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(part)) steps.push({ sha: part, changes: [] });
      if (!part.startsWith(':')) continue;
      const [mode = '', , oid = ''] = part.slice(1).split(' ');
      const path = fields[at + 1] ?? '';
      if (wanted.has(path)) steps.at(-1)?.changes.push({ path, before: contentKey(mode, oid) });
      at += 1;
    }
  }
  return steps;
}

/** The paths that differ between two commits, with mode and object on the second side. */
async function stateOf(objects: Shadow, from: string, to: string): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await objects.git([
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--no-abbrev',
    '--no-renames',
    '--ignore-submodules=none',
    from,
    to,
    '--',
  ]);
  const fields = splitPaths(stdout);
  const state = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', , oid = ''] = (fields[at] ?? '').slice(1).split(' ');
    state.set(fields[at + 1] ?? '', contentKey(mode, oid));
  }
  return state;
}

function contentKey(mode: string, oid: string): string {
  return `${mode} ${oid}`;
}
