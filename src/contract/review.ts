import { z } from 'zod';
import { enumeration, message } from './message.ts';
import { ReviewAuthorKind, ReviewVerdict } from './review-thread.ts';

/** Where a batch of comments stands. */
export const ReviewState = enumeration('agent.v1.ReviewState', [
  'REVIEW_STATE_UNSPECIFIED',
  /** It is being written: nobody but its author sees anything of it. */
  'REVIEW_STATE_OPEN',
  'REVIEW_STATE_RELEASED',
  'REVIEW_STATE_DISCARDED',
]);
export type ReviewState = z.infer<typeof ReviewState>;

/** Who had a reviewer launched. */
export const ReviewLauncherKind = enumeration('agent.v1.ReviewLauncherKind', [
  'REVIEW_LAUNCHER_KIND_UNSPECIFIED',
  'REVIEW_LAUNCHER_KIND_HUMAN',
  'REVIEW_LAUNCHER_KIND_SCHEDULE',
  'REVIEW_LAUNCHER_KIND_AGENT',
]);

/** Who launched a reviewer, as it was when its review was released. */
export const ReviewLauncher = message('agent.v1.ReviewLauncher', {
  kind: [1, ReviewLauncherKind],
  /** The agent, also where it is gone by now, and its name then. */
  agentId: [2, z.string()],
  name: [3, z.string()],
  scheduleId: [4, z.string()],
});
export type ReviewLauncher = z.infer<typeof ReviewLauncher>;

/** Why a verdict does not count. Its comments reach the agent all the same. */
export const ReviewNotCounting = enumeration('agent.v1.ReviewNotCounting', [
  'REVIEW_NOT_COUNTING_UNSPECIFIED',
  /** The agent under review, or a child of it, launched the reviewer, or an agent that did. */
  'REVIEW_NOT_COUNTING_LAUNCHED_BY_ITSELF',
  /** Another agent launched it, and that is no orchestrator which a person or a schedule launched. */
  'REVIEW_NOT_COUNTING_LAUNCHED_BY_AGENT',
  /** The reviewer, or an agent among those that brought it about, is deleted, so that nobody can tell. */
  'REVIEW_NOT_COUNTING_LAUNCHER_GONE',
  /** No coding agent is behind the reviewer's harness: it runs what it is told, as a shell does. */
  'REVIEW_NOT_COUNTING_NO_CODING_AGENT',
]);
export type ReviewNotCounting = z.infer<typeof ReviewNotCounting>;

/** What a review concluded, who said so, and who launched whoever said so: all as it was when it was released. */
export const ReviewConclusion = message('agent.v1.ReviewConclusion', {
  reviewId: [1, z.string()],
  verdict: [2, ReviewVerdict],
  authorKind: [3, ReviewAuthorKind],
  /** The reviewer, also where it is gone by now, and its name then. */
  authorAgentId: [4, z.string()],
  authorName: [5, z.string()],
  /** Unset for a person. */
  launcher: [6, ReviewLauncher],
  /** Unset where it counts. */
  notCounting: [7, ReviewNotCounting],
  releasedAt: [8, z.string()],
});
export type ReviewConclusion = z.infer<typeof ReviewConclusion>;

/** A batch of comments on an agent's work by one author. Timestamps are RFC 3339 in UTC. */
export const Review = message('agent.v1.Review', {
  id: [1, z.string()],
  agentId: [2, z.string()],
  authorKind: [3, ReviewAuthorKind],
  authorAgentId: [4, z.string()],
  state: [5, ReviewState],
  /** What it concluded, and on which round. Unset until it is released. */
  verdict: [6, ReviewVerdict],
  summary: [7, z.string()],
  roundId: [8, z.string()],
  roundOrdinal: [9, z.int32()],
  /** How many comments it holds. */
  comments: [10, z.int32()],
  createdAt: [11, z.string()],
  releasedAt: [12, z.string()],
  /** Who launched its author. Unset until it is released, and for a person. */
  launcher: [13, ReviewLauncher],
  /** Why its verdict does not count, as it was found when it was released. Unset where it counts. */
  notCounting: [14, ReviewNotCounting],
});
export type Review = z.infer<typeof Review>;
