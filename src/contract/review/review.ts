import { z } from 'zod';
import { enumeration, message } from '#contract/message.ts';
import { ReviewAuthorKind, ReviewVerdict } from './review-thread.ts';

/** The state of a batch of comments. */
export const ReviewState = enumeration('agent.v1.ReviewState', {
  REVIEW_STATE_UNSPECIFIED: 'No state; never sent.',
  REVIEW_STATE_OPEN: 'It is being written, and only its author can see it.',
  REVIEW_STATE_RELEASED: 'The agent can read it.',
  REVIEW_STATE_DISCARDED: 'Its author threw it away.',
});
export type ReviewState = z.infer<typeof ReviewState>;

/** Who had a reviewer launched. */
export const ReviewLauncherKind = enumeration('agent.v1.ReviewLauncherKind', {
  REVIEW_LAUNCHER_KIND_UNSPECIFIED: 'It is not known who did.',
  REVIEW_LAUNCHER_KIND_HUMAN: 'A person.',
  REVIEW_LAUNCHER_KIND_SCHEDULE: 'A schedule, when it fired.',
  REVIEW_LAUNCHER_KIND_AGENT: 'Another agent.',
});

/** Who launched a reviewer, as it was when its review was released. */
export const ReviewLauncher = message('agent.v1.ReviewLauncher', {
  kind: [1, ReviewLauncherKind, 'Whether a person, a schedule or an agent launched the reviewer.'],
  agentId: [2, z.string(), 'The agent that did, even if it is gone by now. Unset for others.'],
  name: [3, z.string(), 'What that agent or schedule was called at the time.'],
  scheduleId: [4, z.string(), 'The schedule that did. Unset for others.'],
});
export type ReviewLauncher = z.infer<typeof ReviewLauncher>;

/** Why a verdict does not count. Its comments reach the agent anyway. */
export const ReviewNotCounting = enumeration('agent.v1.ReviewNotCounting', {
  REVIEW_NOT_COUNTING_UNSPECIFIED: 'The verdict counts.',
  REVIEW_NOT_COUNTING_LAUNCHED_BY_ITSELF:
    'The agent under review, or a child of it, launched the reviewer or whoever launched that.',
  REVIEW_NOT_COUNTING_LAUNCHED_BY_AGENT:
    'An agent launched it that is not an orchestrator launched by a person or a schedule.',
  REVIEW_NOT_COUNTING_LAUNCHER_GONE:
    'The reviewer, or an agent that led to its launch, was deleted, so that its origin cannot be checked.',
  REVIEW_NOT_COUNTING_NO_CODING_AGENT:
    'Its harness is not a coding agent, such as a shell, which repeats whatever it is given.',
});
export type ReviewNotCounting = z.infer<typeof ReviewNotCounting>;

/** What a review concluded, who said so, and who launched whoever said so: all as it was when it was released. */
export const ReviewConclusion = message('agent.v1.ReviewConclusion', {
  reviewId: [1, z.string(), 'The review that concluded.'],
  verdict: [2, ReviewVerdict, 'What it concluded.'],
  authorKind: [3, ReviewAuthorKind, 'Whether a person or an agent wrote it.'],
  authorAgentId: [4, z.string(), 'The reviewing agent, even if it is gone by now. Unset for a person.'],
  authorName: [5, z.string(), 'What the reviewing agent was called at the time.'],
  launcher: [6, ReviewLauncher, 'Who launched the reviewing agent. Unset for a person.'],
  notCounting: [7, ReviewNotCounting, 'Why the verdict does not count. Unset if it does.'],
  releasedAt: [8, z.string(), 'When it was released: RFC 3339, UTC.'],
});
export type ReviewConclusion = z.infer<typeof ReviewConclusion>;

/** A batch of comments on an agent's work by one author. Timestamps are RFC 3339 in UTC. */
export const Review = message('agent.v1.Review', {
  id: [1, z.string(), 'Names the review in other calls: `rvw_` and a ULID.'],
  agentId: [2, z.string(), 'Whose work it is about.'],
  authorKind: [3, ReviewAuthorKind, 'Whether a person or an agent writes it.'],
  authorAgentId: [4, z.string(), 'The reviewing agent. Unset for a person.'],
  state: [5, ReviewState, 'Whether it is being written, released or discarded.'],
  verdict: [6, ReviewVerdict, 'What it concluded. Unset until it is released.'],
  summary: [7, z.string(), 'What its author wrote about the whole, at most 2,000 characters.'],
  roundId: [8, z.string(), 'The round that the verdict was given on. Unset until it is released.'],
  roundOrdinal: [9, z.int32(), 'Which round that is, counting from one.'],
  comments: [10, z.int32(), 'How many comments it holds.'],
  createdAt: [11, z.string(), 'When its first comment was written: RFC 3339, UTC.'],
  releasedAt: [12, z.string(), 'When it was released: RFC 3339, UTC. Unset until then.'],
  launcher: [13, ReviewLauncher, 'Who launched its author. Unset until it is released, and for a person.'],
  notCounting: [14, ReviewNotCounting, 'Why its verdict does not count, decided at its release. Unset if it does.'],
});
export type Review = z.infer<typeof Review>;
