import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Review } from '#contract/review/review.ts';
import type { ReviewRound } from '#contract/review/review-round.ts';
import type { ReviewMessage, ReviewThread } from '#contract/review/review-thread.ts';
import { refusalWith } from '#test/support/failure.ts';
import type { As, Made, RegistryFixture } from '../registry-fixture.ts';

/** A thread as it is shown: its id and its messages are there. */
export type ShownThread = ReviewThread & { readonly id: string; readonly messages: ReviewMessage[] };
/** A batch as it is shown. */
export type ShownReview = Review & { readonly id: string };
/** What a listing of threads answers. */
export interface Listed {
  readonly threads: ShownThread[];
  readonly reviews: ShownReview[];
  readonly nextPageToken?: string;
}

/** An implementer at work, reviewers that are its children, and calls as each of them makes them. */
export interface ReviewScene {
  readonly implementer: Made<Agent>;
  readonly reviewer: Made<Agent>;
  readonly other: Made<Agent>;
  round(as?: As): Promise<ReviewRound & { readonly id: string; readonly snapshotSha: string }>;
  comment(as: As, request?: object): Promise<ShownThread>;
  release(as: As, request?: object): Promise<ShownReview>;
  list(as: As, request?: object): Promise<Listed>;
  row(id?: string): Promise<AgentRow & { readonly agent: Agent }>;
  /** The facts of reviews, newest first. */
  facts(): Promise<{ readonly kind: string; readonly detail: string }[]>;
}

/** The agent of an id as a caller. */
export const mine = ({ id }: { readonly id: string }): As => ({ agentId: id });

/** Sets one up in a fixture. */
export async function reviewScene(fixture: RegistryFixture): Promise<ReviewScene> {
  const implementer = await fixture.create({ provisionEnabled: false, role: 'AGENT_ROLE_IMPLEMENTER' });
  await fixture.host.bringUp(implementer.id);
  const child = { parentAgentId: implementer.id, prompt: 'Review the work' };
  // No round is cut at their launch: tests cut their own.
  fixture.host.reviews.refusal = refusalWith('failed_precondition', 'a merge is part-way through');
  const [reviewer, other] = [await fixture.create(child), await fixture.create(child)];
  fixture.host.reviews.refusal = undefined;
  for (const { id } of [reviewer, other]) await fixture.host.bringUp(id);
  const agentId = implementer.id;
  const place = { filePath: 'src/a.ts', newStart: 3, newEnd: 4, quotedLines: ['+b', ' c'] };
  return {
    implementer,
    reviewer,
    other,
    round: async (as = 'person') => (await fixture.call<{ round: never }>('StartReviewRound', { agentId }, as)).round,
    comment: async (as, request = {}) => {
      const whole = { agentId, body: 'Name it what it is.', ...place, ...request };
      return (await fixture.call<{ thread: ShownThread }>('CreateReviewThread', whole, as)).thread;
    },
    release: async (as, request = {}) => {
      const whole = { agentId, verdict: 'REVIEW_VERDICT_CHANGES_REQUESTED', summary: 'Two things', ...request };
      return (await fixture.call<{ review: ShownReview }>('ReleaseReview', whole, as)).review;
    },
    list: async (as, request = {}) => {
      const {
        threads = [],
        reviews = [],
        ...rest
      } = await fixture.call<Partial<Listed>>('ListReviewThreads', { agentId, ...request }, as);
      return { threads, reviews, ...rest };
    },
    row: async (id = agentId) =>
      (await fixture.call<{ agent: AgentRow & { agent: Agent } }>('GetAgent', { agentId: id })).agent,
    facts: async () => {
      const { facts } = await fixture.call<{ facts: { kind: string; detail: string }[] }>('ListFacts', {
        subjectId: agentId,
        pageSize: 200,
      });
      return facts.filter(({ kind }) => kind.startsWith('review.'));
    },
  };
}
