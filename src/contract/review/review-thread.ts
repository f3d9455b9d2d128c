import { z } from 'zod';
import { enumeration, message, required } from '#contract/message.ts';

/** Who wrote a message of a review. */
export const ReviewAuthorKind = enumeration('agent.v1.ReviewAuthorKind', {
  REVIEW_AUTHOR_KIND_UNSPECIFIED: 'Not known; never sent.',
  REVIEW_AUTHOR_KIND_HUMAN: 'The person who runs the service.',
  REVIEW_AUTHOR_KIND_AGENT: 'The agent under review, or its reviewer.',
});
export type ReviewAuthorKind = z.infer<typeof ReviewAuthorKind>;

/** How far a comment has got towards the agent that reads it. */
export const ReviewDeliveryState = enumeration('agent.v1.ReviewDeliveryState', {
  REVIEW_DELIVERY_STATE_UNSPECIFIED: 'No state; never sent.',
  REVIEW_DELIVERY_STATE_UNSENT: 'Written, and not released yet.',
  REVIEW_DELIVERY_STATE_SENT: 'Released, and its doorbell waits to be claimed.',
  REVIEW_DELIVERY_STATE_DELIVERED: 'Released, and the agent has claimed the doorbell.',
});
export type ReviewDeliveryState = z.infer<typeof ReviewDeliveryState>;

/** What a released review concluded. */
export const ReviewVerdict = enumeration('agent.v1.ReviewVerdict', {
  REVIEW_VERDICT_UNSPECIFIED: 'None was given.',
  REVIEW_VERDICT_APPROVED: 'The round is good as it is.',
  REVIEW_VERDICT_CHANGES_REQUESTED: 'The agent should keep working.',
  REVIEW_VERDICT_COMMENTED: 'Notes without a conclusion.',
});
export type ReviewVerdict = z.infer<typeof ReviewVerdict>;

/** The review status of a worktree against a round. */
export const ReviewTreeStanding = enumeration('agent.v1.ReviewTreeStanding', {
  REVIEW_TREE_STANDING_UNSPECIFIED: 'The worktree equals the round, or was not measured.',
  REVIEW_TREE_STANDING_MOVED: 'The worktree differs from the round, and the base does not hold the round.',
  REVIEW_TREE_STANDING_LANDED: 'The base holds the whole round, and the worktree has nothing beyond the base.',
  REVIEW_TREE_STANDING_LANDED_MOVED: 'The base holds the whole round, and the worktree has new work beyond it.',
});
export type ReviewTreeStanding = z.infer<typeof ReviewTreeStanding>;

/** What happened to a thread's lines by another round. */
export const ReviewPlaceState = enumeration('agent.v1.ReviewPlaceState', {
  REVIEW_PLACE_STATE_UNSPECIFIED: 'It was not worked out.',
  REVIEW_PLACE_STATE_STILL: 'The lines are where they were.',
  REVIEW_PLACE_STATE_MOVED: 'The lines are elsewhere, or in another file.',
  REVIEW_PLACE_STATE_CHANGED: 'Other lines are there now.',
  REVIEW_PLACE_STATE_GONE: 'The file is gone.',
});
export type ReviewPlaceState = z.infer<typeof ReviewPlaceState>;

/** Where a thread is in its agent's newest round. The thread's own place never moves. */
export const ReviewPlace = message('agent.v1.ReviewPlace', {
  state: [1, ReviewPlaceState, 'What happened to the lines.'],
  roundId: [2, z.string(), 'The round it was worked out for, the agent’s newest.'],
  roundOrdinal: [3, z.int32(), 'Which round that is, counting from one.'],
  filePath: [4, z.string(), 'File the lines are in now. Unset if they changed or are gone.'],
  oldStart: [5, z.int32(), 'First line on the old side, counting from one.'],
  oldEnd: [6, z.int32(), 'Last line on the old side, inclusive.'],
  newStart: [7, z.int32(), 'First line on the new side, counting from one.'],
  newEnd: [8, z.int32(), 'Last line on the new side, inclusive.'],
});
export type ReviewPlace = z.infer<typeof ReviewPlace>;

/** One message of a review thread. Timestamps are RFC 3339 in UTC. */
export const ReviewMessage = message('agent.v1.ReviewMessage', {
  id: [1, z.string(), 'Names the message for an edit: `msg_` and a ULID.'],
  threadId: [2, z.string(), 'The thread it belongs to.'],
  authorKind: [3, ReviewAuthorKind, 'Whether a person or an agent wrote it. This decides, not `authorAgentId`.'],
  authorAgentId: [4, z.string(), 'The agent that wrote it. Unset for a person, and once that agent is deleted.'],
  body: [5, z.string(), 'What its author wrote, at most 1,000 characters.'],
  suggestion: [
    6,
    z.array(z.string()),
    'Lines proposed in place of the thread’s new range. Empty for an ordinary comment.',
  ],
  createdAt: [7, z.string(), 'When it was written: RFC 3339, UTC.'],
  updatedAt: [8, z.string(), 'When it was last edited: RFC 3339, UTC.'],
  delivery: [9, ReviewDeliveryState, 'How far it has got towards the agent.'],
  sentAt: [10, z.string(), 'When it was released: RFC 3339, UTC. Unset until then.'],
  deliveredAt: [11, z.string(), 'When the agent claimed the doorbell for it: RFC 3339, UTC. Unset until then.'],
  reviewId: [12, z.string(), 'The review it was released with. Unset for an answer of the agent under review.'],
});
export type ReviewMessage = z.infer<typeof ReviewMessage>;

/** One conversation pinned to a place in a round of an agent's diff. Timestamps are RFC 3339 in UTC. */
export const ReviewThread = message('agent.v1.ReviewThread', {
  id: [1, z.string(), 'Names the thread for an answer or to settle it: `thr_` and a ULID.'],
  agentId: [2, z.string(), 'Whose diff it is pinned to.'],
  reviewId: [3, z.string(), 'The review it was opened in.'],
  roundId: [4, z.string(), 'The round it is pinned to, which never changes.'],
  roundOrdinal: [5, z.int32(), 'Which round that is, counting from one.'],
  baseSha: [6, z.string(), 'Commit the old line numbers count in: the round’s base, or an earlier round’s snapshot.'],
  filePath: [7, z.string(), 'File, relative to the checkout.'],
  oldStart: [8, z.int32(), 'First line on the old side, from one.'],
  oldEnd: [9, z.int32(), 'Last line on the old side, inclusive.'],
  newStart: [10, z.int32(), 'First line on the new side, from one.'],
  newEnd: [11, z.int32(), 'Last line on the new side, inclusive.'],
  quotedLines: [12, z.array(z.string()), 'Diff lines it is about, each with its leading marker.'],
  resolvedAt: [13, z.string(), 'When a person settled it: RFC 3339, UTC. Unset while it is owed an answer.'],
  unreadByHuman: [14, z.boolean(), 'Whether the agent has answered since a person last looked.'],
  messages: [15, z.array(ReviewMessage), 'All that was written in it, oldest first.'],
  createdAt: [16, z.string(), 'When it was opened: RFC 3339, UTC.'],
  updatedAt: [17, z.string(), 'When anything in it last changed: RFC 3339, UTC.'],
  place: [
    18,
    ReviewPlace,
    'Where its lines are in the newest round. Unset if that is its own, or if the host did not answer.',
  ],
});
export type ReviewThread = z.infer<typeof ReviewThread>;

/** The field that names a thread. */
export const threadId = [required(z.string().min(1)), 'The thread, by its id: `thr_` and a ULID.'] as const;
