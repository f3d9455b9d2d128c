import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReviewRequests } from '#actors/host/review/review-requests.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { agentContext } from '#test/support/agent-context.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import type { Homes } from '../stage/homes.ts';
import { report } from '../stage/report.ts';
import { median, ms, timed, times } from '../stage/sample.ts';

const [files, folders, changed, deleted, untracked] = [25_000, 500, 60, 5, 20] as const;
const rounds = 5;
const agentId = 'agt_bench';
const ticket = 'bench';

/**
 * Measures how long a host takes for a review of a large checkout, compared with `git status`, and how much memory it
 * uses.
 */
export async function benchReview(homes: Homes): Promise<void> {
  const repository = largeCheckout(homes.folder());
  const record = {
    id: agentId,
    launch: { cwd: repository, copyFiles: [] },
    snapshot: { value: 'live', context: agentContext({ name: 'bench', firstName: 'bench', provision: false }) },
  } as unknown as AgentRecord;
  const permit = async () => ({ record, leftMs: 60_000 });
  const asking = { registry: { permit, load: async () => record }, clock: systemTimer };
  const desk = new ReviewRequests({ recordOf: async () => record, asking });
  const git = (...args: string[]): string => gitIn(repository, ...args);
  const before = memory();
  const first = await desk.cutRound({ ticket, agentId, roundRef: ref(0) });
  const between = { agentId, fromSha: first.baseSha, toSha: first.snapshotSha };
  const place = { filePath: 'folder-1/file-1.txt', newStart: 2, newEnd: 2 };
  const pins = { baseSha: first.baseSha, snapshotSha: first.snapshotSha };
  let cut = 0;
  const jobs: Readonly<Record<string, () => Promise<unknown>>> = {
    'git status': async () => git('status', '--porcelain'),
    'snapshot of a round': () => {
      cut += 1;
      return desk.cutRound({ ticket, agentId, roundRef: ref(cut) });
    },
    "the worktree's tree": () => desk.treeOf({ agentId }),
    'standing, not landed': () => desk.standing({ agentId, base: 'main', rounds: [pins] }),
    'diff, first page': () => desk.reviewDiff(between),
    'diff, one file': () => desk.reviewDiff({ ...between, path: place.filePath }),
    'anchor of a thread': () => desk.anchorThread({ agentId, ...pins, ...place, quotedLines: ['+changed'] }),
    '100 threads carried': () =>
      desk.carryThreads({ agentId, from: pins, to: pins, anchors: Array.from({ length: 100 }, () => place) }),
  };
  const took = new Map<string, number[]>(Object.keys(jobs).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, job] of Object.entries(jobs)) {
      const duration = await timed(job);
      // The first run fills the disk's cache for all of them.
      if (round > 0) took.get(name)?.push(duration);
    }
  }
  const after = memory();
  const landing = await landingTook(desk, repository, pins);
  const status = median(took.get('git status') ?? []);
  report(
    'review of a large checkout',
    `${files} files, ${changed} of them changed and ${deleted} deleted, and ${untracked} untracked; medians of ${rounds} rounds.`,
    ['job', 'took', 'to git status'],
    [...took, ['standing, landed by a squash', landing] as const].map(([name, durations]) => [
      name,
      ms(median(durations)),
      times(median(durations) / status),
    ]),
  );
  report(
    'memory of the host',
    'After a garbage collection if one can be requested, before the first round and after the last answer.',
    ['RSS before', 'RSS after', 'heap before', 'heap after'],
    [[before.rss, after.rss, before.heapUsed, after.heapUsed].map((bytes) => `${(bytes / 1e6).toFixed(1)} MB`)],
  );
}

/** Review status once the base contains the round. The base changes each time, so that nothing is cached. */
async function landingTook(
  desk: ReviewRequests,
  repository: string,
  round: { baseSha: string; snapshotSha: string },
): Promise<number[]> {
  const took: number[] = [];
  for (let turn = 0; turn < rounds; turn += 1) {
    const tree = gitIn(repository, 'rev-parse', `${round.snapshotSha}^{tree}`);
    const commit = gitIn(repository, 'commit-tree', '-p', 'main', '-m', `squash ${turn}`, tree);
    gitIn(repository, 'update-ref', 'refs/heads/main', commit);
    took.push(await timed(() => desk.standing({ agentId, base: 'main', rounds: [round] })));
  }
  return took;
}

function ref(round: number): string {
  return `refs/muster/rounds/${agentId}/${round}`;
}

/** A checkout on its own branch, with edits. */
function largeCheckout(folder: string): string {
  const path = (file: number): string => join(folder, `folder-${file % folders}`, `file-${file}.txt`);
  gitIn(folder, 'init', '-q', '-b', 'main', '--template=');
  for (let at = 0; at < folders; at += 1) mkdirSync(join(folder, `folder-${at}`));
  for (let file = 0; file < files; file += 1) writeFileSync(path(file), `file ${file}\n`.repeat(20 + (file % 200)));
  gitIn(folder, 'add', '-A');
  gitIn(folder, '-c', 'user.name=bench', '-c', 'user.email=b@b', 'commit', '-qm', 'first');
  // As a clone has it.
  gitIn(folder, 'repack', '-adq');
  gitIn(folder, 'config', 'user.name', 'bench');
  gitIn(folder, 'config', 'user.email', 'bench@example.com');
  gitIn(folder, 'checkout', '-q', '-b', 'work');
  for (let file = 1; file <= changed; file += 1) writeFileSync(path(file), `file ${file}\nchanged\n`);
  for (let file = 101; file < 101 + deleted; file += 1) rmSync(path(file));
  for (let file = 0; file < untracked; file += 1) appendFileSync(join(folder, `new-${file}.txt`), 'new\n');
  return folder;
}

function gitIn(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64e6 }).trim();
}

function memory(): NodeJS.MemoryUsage {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  return process.memoryUsage();
}
