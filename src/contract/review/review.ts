import { z } from 'zod';
import { enumeration, message } from '#contract/message.ts';
import { ReviewAuthorKind, ReviewVerdict } from './review-thread.ts';

/** The state of a batch of comments. */
export const ReviewState = enumeration('agent.v1.ReviewState', {
  REVIEW_STATE_UNSPECIFIED: 'No state; never sent.',
  REVIEW_STATE_OPEN: 'It is being written, and only its author sees it.',
  REVIEW_STATE_RELEASED: 'The agent can read it.',
  REVIEW_STATE_DISCARDED: 'Its author discarded it.',
});
export type ReviewState = z.infer<typeof ReviewState>;

/** Who launched a reviewer. */
export const ReviewLauncherKind = enumeration('agent.v1.ReviewLauncherKind', {
  REVIEW_LAUNCHER_KIND_UNSPECIFIED: 'Unknown.',
  REVIEW_LAUNCHER_KIND_HUMAN: 'A person.',
  REVIEW_LAUNCHER_KIND_SCHEDULE: 'A schedule, when it fired.',
  REVIEW_LAUNCHER_KIND_AGENT: 'Another agent.',
});

/** Who launched a reviewer, as it was when its review was released. */
export const ReviewLauncher = message('agent.v1.ReviewLauncher', {
  kind: [1, ReviewLauncherKind, 'Whether a person, a schedule or an agent launched the reviewer.'],
  agentId: [2, z.string(), 'The launching agent, even if it is gone now. Unset if no agent launched it.'],
  name: [3, z.string(), 'The name of that agent or schedule at the time.'],
  scheduleId: [4, z.string(), 'The launching schedule. Unset if none launched it.'],
});
export type ReviewLauncher = z.infer<typeof ReviewLauncher>;

/** Why a verdict does not count. Its comments reach the agent anyway. */
export const ReviewNotCounting = enumeration('agent.v1.ReviewNotCounting', {
  REVIEW_NOT_COUNTING_UNSPECIFIED: 'The verdict counts.',
  REVIEW_NOT_COUNTING_LAUNCHED_BY_ITSELF:
    'The agent under review, or a child of it, launched the reviewer or the reviewer’s launcher.',
  REVIEW_NOT_COUNTING_LAUNCHED_BY_AGENT:
    'An agent launched it, and not an orchestrator that a person or a schedule launched.',
  REVIEW_NOT_COUNTING_LAUNCHER_GONE:
    'The reviewer, or an agent in the chain of its launch, was deleted, so its origin cannot be checked.',
  REVIEW_NOT_COUNTING_NO_CODING_AGENT:
    'Its harness is not a coding agent but, for example, a shell, which only repeats its input.',
});
export type ReviewNotCounting = z.infer<typeof ReviewNotCounting>;

/** The conclusion of a review, with its author and the author’s launcher, all as of its release. */
export const ReviewConclusion = message('agent.v1.ReviewConclusion', {
  reviewId: [1, z.string(), 'The review that reached it.'],
  verdict: [2, ReviewVerdict, 'What the review concluded.'],
  authorKind: [3, ReviewAuthorKind, 'Whether a person or an agent wrote it.'],
  authorAgentId: [4, z.string(), 'The reviewing agent, even if it is gone now. Unset for a person.'],
  authorName: [5, z.string(), 'The name of the reviewing agent at the time.'],
  launcher: [6, ReviewLauncher, 'Who launched the reviewing agent. Unset for a person.'],
  notCounting: [7, ReviewNotCounting, 'Why the verdict does not count. Unset if it does.'],
  releasedAt: [8, z.string(), 'When it was released: RFC 3339, UTC.'],
});
export type ReviewConclusion = z.infer<typeof ReviewConclusion>;

/** A batch of comments on an agent's work by one author. Timestamps are RFC 3339 in UTC. */
export const Review = message('agent.v1.Review', {
  id: [1, z.string(), 'The id of the review in other calls: `rvw_` and a ULID.'],
  agentId: [2, z.string(), 'The agent whose work it is about.'],
  authorKind: [3, ReviewAuthorKind, 'Whether a person or an agent wrote it.'],
  authorAgentId: [4, z.string(), 'The reviewing agent. Unset for a person.'],
  state: [5, ReviewState, 'Whether it is being written, released or discarded.'],
  verdict: [6, ReviewVerdict, 'Its verdict. Unset until it is released.'],
  summary: [7, z.string(), 'The author’s comment on the whole, at most 2,000 characters.'],
  roundId: [8, z.string(), 'The round that the verdict is about. Unset until it is released.'],
  roundOrdinal: [9, z.int32(), 'The number of that round, counting from one.'],
  comments: [10, z.int32(), 'How many comments it has.'],
  createdAt: [11, z.string(), 'When its first comment was written: RFC 3339, UTC.'],
  releasedAt: [12, z.string(), 'When it was released: RFC 3339, UTC. Unset until then.'],
  launcher: [13, ReviewLauncher, 'Who launched its author. Unset until it is released, and for a person.'],
  notCounting: [14, ReviewNotCounting, 'Why its verdict does not count, decided at its release. Unset if it does.'],
});
export type Review = z.infer<typeof Review>;
