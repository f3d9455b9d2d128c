import { z } from 'zod';
import { enumeration, message } from './message.ts';

/** Who wrote a message of a review. */
export const ReviewAuthorKind = enumeration('agent.v1.ReviewAuthorKind', [
  'REVIEW_AUTHOR_KIND_UNSPECIFIED',
  'REVIEW_AUTHOR_KIND_HUMAN',
  'REVIEW_AUTHOR_KIND_AGENT',
]);
export type ReviewAuthorKind = z.infer<typeof ReviewAuthorKind>;

/** How far a comment has got towards the agent that reads it. */
export const ReviewDeliveryState = enumeration('agent.v1.ReviewDeliveryState', [
  'REVIEW_DELIVERY_STATE_UNSPECIFIED',
  'REVIEW_DELIVERY_STATE_UNSENT',
  'REVIEW_DELIVERY_STATE_SENT',
  'REVIEW_DELIVERY_STATE_DELIVERED',
]);
export type ReviewDeliveryState = z.infer<typeof ReviewDeliveryState>;

/** What a released review concluded. */
export const ReviewVerdict = enumeration('agent.v1.ReviewVerdict', [
  'REVIEW_VERDICT_UNSPECIFIED',
  'REVIEW_VERDICT_APPROVED',
  'REVIEW_VERDICT_CHANGES_REQUESTED',
  'REVIEW_VERDICT_COMMENTED',
]);
export type ReviewVerdict = z.infer<typeof ReviewVerdict>;

/** Where a worktree stands against a round. */
export const ReviewTreeStanding = enumeration('agent.v1.ReviewTreeStanding', [
  'REVIEW_TREE_STANDING_UNSPECIFIED',
  'REVIEW_TREE_STANDING_MOVED',
  'REVIEW_TREE_STANDING_LANDED',
  'REVIEW_TREE_STANDING_LANDED_MOVED',
]);
export type ReviewTreeStanding = z.infer<typeof ReviewTreeStanding>;

/** What became of a thread's lines by another round. */
export const ReviewPlaceState = enumeration('agent.v1.ReviewPlaceState', [
  'REVIEW_PLACE_STATE_UNSPECIFIED',
  /** They stand where they stood. */
  'REVIEW_PLACE_STATE_STILL',
  /** They stand elsewhere, or in another file. */
  'REVIEW_PLACE_STATE_MOVED',
  /** Other lines stand there. */
  'REVIEW_PLACE_STATE_CHANGED',
  /** The file is gone. */
  'REVIEW_PLACE_STATE_GONE',
]);
export type ReviewPlaceState = z.infer<typeof ReviewPlaceState>;

/** Where a thread stands in its agent's newest round. The thread's own place never moves. */
export const ReviewPlace = message('agent.v1.ReviewPlace', {
  state: [1, ReviewPlaceState],
  roundId: [2, z.string()],
  roundOrdinal: [3, z.int32()],
  /** The file that it is in there, and the lines; unset where they changed or are gone. */
  filePath: [4, z.string()],
  oldStart: [5, z.int32()],
  oldEnd: [6, z.int32()],
  newStart: [7, z.int32()],
  newEnd: [8, z.int32()],
});
export type ReviewPlace = z.infer<typeof ReviewPlace>;

/** One message of a review thread. Timestamps are RFC 3339 in UTC. */
export const ReviewMessage = message('agent.v1.ReviewMessage', {
  id: [1, z.string()],
  threadId: [2, z.string()],
  authorKind: [3, ReviewAuthorKind],
  authorAgentId: [4, z.string()],
  body: [5, z.string()],
  suggestion: [6, z.array(z.string())],
  createdAt: [7, z.string()],
  updatedAt: [8, z.string()],
  delivery: [9, ReviewDeliveryState],
  sentAt: [10, z.string()],
  deliveredAt: [11, z.string()],
  reviewId: [12, z.string()],
});
export type ReviewMessage = z.infer<typeof ReviewMessage>;

/** One conversation pinned to a place in a round of an agent's diff. Timestamps are RFC 3339 in UTC. */
export const ReviewThread = message('agent.v1.ReviewThread', {
  id: [1, z.string()],
  agentId: [2, z.string()],
  reviewId: [3, z.string()],
  roundId: [4, z.string()],
  roundOrdinal: [5, z.int32()],
  baseSha: [6, z.string()],
  filePath: [7, z.string()],
  oldStart: [8, z.int32()],
  oldEnd: [9, z.int32()],
  newStart: [10, z.int32()],
  newEnd: [11, z.int32()],
  quotedLines: [12, z.array(z.string())],
  resolvedAt: [13, z.string()],
  unreadByHuman: [14, z.boolean()],
  messages: [15, z.array(ReviewMessage)],
  createdAt: [16, z.string()],
  updatedAt: [17, z.string()],
  /** Where it stands in the newest round. Unset where that is its own, or where the host could not be asked. */
  place: [18, ReviewPlace],
});
export type ReviewThread = z.infer<typeof ReviewThread>;
