import { createHash } from 'node:crypto';
import type { Failure } from '#contract/failure.ts';
import type { ReviewTreeStanding } from '#contract/review/review-thread.ts';
import { type Placement, reviewCalls } from '#contract/wire/review-calls.ts';
import { refusalWith } from '#test/support/failure.ts';

type Verb = keyof typeof reviewCalls;

/** The SHA-1 of a text: a commit's name that a test can foretell. */
export function shaOf(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

/** What a host that a test plays says of reviews. What is in its fields is what there is. */
export class FakeReviews {
  readonly verbs = Object.keys(reviewCalls) as Verb[];
  /** What was asked, in order. */
  readonly asked: [verb: Verb, request: Record<string, unknown>][] = [];
  /** What was done of it. */
  readonly done: Verb[] = [];
  /** The content of the worktree, and the tip of its base. */
  tree = 'first';
  base = 'main';
  /** Whether the worktree is as its base is. */
  isEmpty = false;
  /** What there is no commit of. */
  goneBase: string | undefined;
  /** What a place is refused with, and what is there. */
  mismatch: { readonly message: string; readonly stands: string[] } | undefined;
  placement: Placement = { state: 'still', filePath: 'src/a.ts', newStart: 3, newEnd: 4 };
  standing: ReviewTreeStanding = 'REVIEW_TREE_STANDING_UNSPECIFIED';
  /** What everything is refused with. */
  refusal: Failure | undefined;
  /** Waited for before anything is answered. */
  pause: Promise<unknown> = Promise.resolve();

  /** How often something was asked. */
  count(verb: Verb): number {
    return this.asked.filter(([asked]) => asked === verb).length;
  }

  /** `permitted` asks for the permit of what takes one. What was done is in `done`. */
  async answer(verb: Verb, body: unknown, permitted: () => Promise<void>): Promise<object> {
    const { ticket: _, ...request } = body as Record<string, unknown>;
    this.asked.push([verb, request]);
    await this.pause;
    if (this.refusal) throw this.refusal;
    await permitted();
    const answer = this.#answers[verb](request);
    this.done.push(verb);
    return answer;
  }

  readonly #answers: Readonly<Record<Verb, (request: Record<string, unknown>) => object>> = {
    cutRound: ({ roundRef, base }) => {
      if (base !== undefined && base === this.goneBase) throw refusalWith('failed_precondition', 'there is no commit');
      return {
        snapshotSha: shaOf(`${this.tree} at ${String(roundRef)}`),
        baseSha: shaOf(this.base),
        treeSha: shaOf(this.tree),
        leftOut: this.isEmpty ? [] : [{ path: 'film.mp4', reason: 'large', bytes: 5_000_000_000 }],
        leftOutCount: this.isEmpty ? 0 : 1,
        changedFiles: this.isEmpty ? 0 : 2,
      };
    },
    dropRounds: () => ({}),
    treeOf: () => ({ treeSha: shaOf(this.tree) }),
    reviewDiff: ({ cursor }) => ({
      files: [
        { path: 'src/a.ts', change: 'modified', added: 1, deleted: 1, patch: '@@ -1 +1 @@\n-a\n+b\n', partial: false },
        { path: 'logo.png', change: 'added', newBytes: 4_096, omitted: 'binary', patch: '', partial: false },
      ],
      totalFiles: 2,
      ...(cursor === undefined ? { nextCursor: 'more' } : {}),
    }),
    fileLines: () => ({ lines: ['b'], totalLines: 1 }),
    anchorThread: () => {
      if (this.mismatch === undefined) return { ok: true, message: '', stands: [] };
      return { ok: false, reason: 'mismatch', ...this.mismatch };
    },
    carryThreads: ({ anchors }) => ({ placements: (anchors as unknown[]).map(() => this.placement) }),
    standing: ({ rounds }) => ({
      treeSha: shaOf(this.tree),
      baseTips: [shaOf(this.base)],
      standings: (rounds as { snapshotSha: string }[]).map(({ snapshotSha }) => ({
        snapshotSha,
        standing: this.standing,
        moved: !this.#holds(snapshotSha),
      })),
    }),
    applySuggestion: ({ filePath, newStart, newEnd }) => {
      if (this.mismatch) throw refusalWith('failed_precondition', `other lines stand there: ${this.mismatch.message}`);
      return { filePath, start: newStart, end: newEnd };
    },
  };

  /** Whether the worktree is as a snapshot of one of the first hundred rounds has it. */
  #holds(snapshotSha: string): boolean {
    const refs = this.asked.flatMap(([, { roundRef }]) => (typeof roundRef === 'string' ? [roundRef] : []));
    return refs.some((ref) => shaOf(`${this.tree} at ${ref}`) === snapshotSha);
  }
}
