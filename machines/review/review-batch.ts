import { assign, setup } from 'xstate';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { ReviewLauncher, ReviewNotCounting, ReviewState } from '#contract/review/review.ts';
import type { ReviewVerdict } from '#contract/review/review-thread.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { contextReader } from '#machines/context-reader.ts';
import type { FactDraft, MachineDefinition } from '#machines/decide.ts';

/** The result of a release. */
export interface Conclusion {
  readonly verdict: Exclude<ReviewVerdict, 'REVIEW_VERDICT_UNSPECIFIED'>;
  readonly summary: string;
  /** The round that the verdict is given on. */
  readonly roundId: string;
  /** Who launched its author; absent for a person. */
  readonly launcher?: ReviewLauncher | undefined;
  /** Why the verdict does not count; absent if it does. */
  readonly notCounting?: ReviewNotCounting | undefined;
}

/** The context of a batch's machine. */
export interface ReviewBatchContext {
  /** How many comments it holds. */
  readonly comments: number;
  readonly conclusion?: Conclusion;
}

/** Reads the context of a batch's machine from a stored snapshot. */
export const readBatchContext = contextReader<ReviewBatchContext>('review-batch', { comments: ['number'] });

/** Everything that can happen to a batch. */
export type ReviewBatchEvent =
  /** A comment was added to it. */
  | { readonly type: 'COMMENT' }
  /** Its author deleted comments. */
  | { readonly type: 'TAKE_BACK'; readonly count: number }
  | { readonly type: 'RELEASE'; readonly conclusion: Conclusion }
  | { readonly type: 'DISCARD' };

/** How many comments one batch may hold. */
export const maxComments = 1_000;

/** One batch of review comments. Only its author sees it until all of it is released. */
export const reviewBatchMachine = setup({
  types: { context: {} as ReviewBatchContext, events: {} as ReviewBatchEvent },
  actions: {
    noteComment: assign(({ context }) => ({ comments: context.comments + 1 })),
    noteTakenBack: assign(({ context, event }) =>
      event.type === 'TAKE_BACK' ? { comments: context.comments - event.count } : {},
    ),
    noteConclusion: assign(({ event }) => (event.type === 'RELEASE' ? { conclusion: event.conclusion } : {})),
    noteDiscarded: assign({ comments: 0 }),
  },
  guards: {
    hasRoom: ({ context }) => context.comments < maxComments,
    holdsThem: ({ context, event }) => event.type === 'TAKE_BACK' && event.count <= context.comments,
  },
}).createMachine({
  id: 'review-batch',
  context: { comments: 0 },
  initial: 'open',
  states: {
    open: {
      on: {
        COMMENT: { guard: 'hasRoom', actions: ['noteComment'] },
        TAKE_BACK: { guard: 'holdsThem', actions: ['noteTakenBack'] },
        RELEASE: { target: 'released', actions: ['noteConclusion'] },
        DISCARD: { target: 'discarded', actions: ['noteDiscarded'] },
      },
    },
    released: { type: 'final' },
    discarded: { type: 'final' },
  },
});

const states: Readonly<Record<string, ReviewState>> = {
  open: 'REVIEW_STATE_OPEN',
  released: 'REVIEW_STATE_RELEASED',
  discarded: 'REVIEW_STATE_DISCARDED',
};

/** The view of a batch. */
export interface ReviewBatchView extends ReviewBatchContext {
  readonly state: ReviewState;
}

/** Reads the view from a stored snapshot. */
export function batchViewOf(snapshot: StoredSnapshot): ReviewBatchView {
  return { ...readBatchContext(snapshot), state: states[phaseOf(snapshot.value)] ?? 'REVIEW_STATE_UNSPECIFIED' };
}

/** The batch machine. Only its release is a fact: what comes before is private to its author. */
export const reviewBatchDefinition: MachineDefinition<typeof reviewBatchMachine> = {
  machine: reviewBatchMachine,
  factsBetween,
};

function factsBetween(before: StoredSnapshot | undefined, after: StoredSnapshot): FactDraft[] {
  const { state, comments, conclusion } = batchViewOf(after);
  const isNew = before === undefined || batchViewOf(before).state !== state;
  if (!isNew || state !== 'REVIEW_STATE_RELEASED' || conclusion === undefined) return [];
  const { verdict, roundId, notCounting } = conclusion;
  return [{ kind: 'review.released', detail: { verdict, roundId, comments, ...(notCounting && { notCounting }) } }];
}
