import { isSequenceInProgress } from '#world/git/checkout/checkout.ts';
import type { CheckoutFolder, GitDirectory } from '#world/git/repository/git-directory.ts';
import { lineOf, repositoryGit } from '#world/git/repository/repository.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';
import { openObjects } from './blobs.ts';
import type { RoundCommits } from './carry.ts';
import { containingCommit } from './containing-commit.ts';
import { type BaseQuestion, baseTips } from './round-base.ts';
import { mergedTree, treesOf } from './three-way.ts';
import { viewWorktree } from './worktree-view.ts';

/** The review status of a worktree against a round. */
export interface RoundStatus {
  readonly snapshotSha: string;
  readonly standing: 'UNSPECIFIED' | 'MOVED' | 'LANDED' | 'LANDED_MOVED';
  /** Whether the worktree differs from the snapshot. */
  readonly moved: boolean;
}

export interface ReviewStatuses {
  readonly treeSha: string;
  /** The tips of the base branch that were compared. */
  readonly tips: readonly string[];
  readonly standings: readonly RoundStatus[];
}

/** Caches which commit of a base contains a round. That never changes, and finding it can take long. */
export type Holders = Map<string, string | undefined>;

const maxHolders = 1_000;

/**
 * The review status of a worktree against each round. Whether the base contains a round is decided by contents, not by
 * history; a worktree has nothing beyond the base if merging it into the base would change nothing.
 */
export function reviewStatuses(
  at: CheckoutFolder,
  question: BaseQuestion & { readonly rounds: readonly RoundCommits[] },
  holders: Holders,
): Promise<ReviewStatuses> {
  return viewWorktree(at, { objects: 'discard', hashing: 'changed' }, async ({ shadow, treeSha, headSha }) => {
    const tips = await baseTips(at, question);
    const inSequence = await isSequenceInProgress(at.gitDir);
    await using objects = await openObjects(at, [shadow]);
    const measured = new Measure({ at, objects, treeSha, headSha, tips: inSequence ? [] : tips, holders });
    const standings: RoundStatus[] = [];
    for (const round of question.rounds) standings.push(await measured.of(round));
    return { treeSha, tips, standings };
  });
}

interface ComparisonContext {
  readonly at: CheckoutFolder;
  readonly objects: Shadow;
  readonly treeSha: string;
  readonly headSha: string | undefined;
  /** Empty if a comparison would mean nothing: there is no base, or a merge is in progress. */
  readonly tips: readonly string[];
  readonly holders: Holders;
}

/** Compares one view of a worktree with each round. */
class Measure {
  readonly #all: ComparisonContext;

  constructor(all: ComparisonContext) {
    this.#all = all;
  }

  async of(round: RoundCommits): Promise<RoundStatus> {
    const { objects, treeSha, tips } = this.#all;
    const { snapshotSha } = round;
    const [tree, baseTree] = await treesOf(objects, [snapshotSha, round.baseSha]);
    const moved = tree !== treeSha;
    if (tree === undefined || baseTree === undefined || tips.length === 0)
      return { snapshotSha, standing: 'UNSPECIFIED', moved };
    const landed: boolean[] = [];
    for (const tip of tips) {
      const holder = await this.#holder(round, tip);
      if (holder !== undefined) landed.push(!moved || (await this.#carriesNothing(round, tip, holder)));
      if (landed.at(-1)) break;
    }
    if (landed.length === 0) return { snapshotSha, standing: moved ? 'MOVED' : 'UNSPECIFIED', moved };
    return { snapshotSha, standing: landed.at(-1) ? 'LANDED' : 'LANDED_MOVED', moved };
  }

  /** The commit of the base that contains the whole round. */
  async #holder(round: RoundCommits, tip: string): Promise<string | undefined> {
    const { objects, holders } = this.#all;
    const key = `${round.baseSha} ${round.snapshotSha} ${tip}`;
    if (holders.has(key)) return holders.get(key);
    const holder = await containingCommit(objects, round, tip);
    for (const oldest of holders.keys()) {
      if (holders.size < maxHolders) break;
      holders.delete(oldest);
    }
    holders.set(key, holder);
    return holder;
  }

  /**
   * Whether the worktree equals the base as it is now, as it was or as it was pulled, or merging it would change
   * nothing.
   */
  async #carriesNothing({ snapshotSha }: RoundCommits, tip: string, holder: string): Promise<boolean> {
    const { at, objects, treeSha, headSha } = this.#all;
    const forkSha = headSha === undefined ? undefined : await forkOf(at, headSha, tip);
    const froms = [...new Set([forkSha, snapshotSha, holder].filter((sha) => sha !== undefined))];
    const [tipTree, ...trees] = await treesOf(objects, [tip, ...froms]);
    if (tipTree === treeSha || trees.includes(treeSha)) return true;
    for (const from of froms) {
      if ((await mergedTree(objects, { base: from, ours: tip, theirs: treeSha })) === tipTree) return true;
    }
    return false;
  }
}

async function forkOf(at: GitDirectory, one: string, other: string): Promise<string | undefined> {
  const output = await repositoryGit(at, ['merge-base', one, other], { exitCodes: [0, 1] });
  return output.exitCode === 0 ? lineOf(output) : undefined;
}
