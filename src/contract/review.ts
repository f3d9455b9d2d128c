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
});
export type Review = z.infer<typeof Review>;
