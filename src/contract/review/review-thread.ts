import { z } from 'zod';
import { enumeration, message, required } from '#contract/message.ts';

/** Who wrote a message of a review. */
export const ReviewAuthorKind = enumeration('agent.v1.ReviewAuthorKind', {
  REVIEW_AUTHOR_KIND_UNSPECIFIED: 'Unknown; never sent.',
  REVIEW_AUTHOR_KIND_HUMAN: 'The person who runs the service.',
  REVIEW_AUTHOR_KIND_AGENT: 'The agent under review, or its reviewer.',
});
export type ReviewAuthorKind = z.infer<typeof ReviewAuthorKind>;

/** How far the delivery of a comment to its agent has got. */
export const ReviewDeliveryState = enumeration('agent.v1.ReviewDeliveryState', {
  REVIEW_DELIVERY_STATE_UNSPECIFIED: 'No state; never sent.',
  REVIEW_DELIVERY_STATE_UNSENT: 'Written, but not released yet.',
  REVIEW_DELIVERY_STATE_SENT: 'Released, but the agent has not claimed the doorbell yet.',
  REVIEW_DELIVERY_STATE_DELIVERED: 'Released, and the agent has claimed the doorbell.',
});
export type ReviewDeliveryState = z.infer<typeof ReviewDeliveryState>;

/** What a released review concluded. */
export const ReviewVerdict = enumeration('agent.v1.ReviewVerdict', {
  REVIEW_VERDICT_UNSPECIFIED: 'There is no verdict.',
  REVIEW_VERDICT_APPROVED: 'The round is good as it is.',
  REVIEW_VERDICT_CHANGES_REQUESTED: 'The agent should keep working.',
  REVIEW_VERDICT_COMMENTED: 'Notes without a conclusion.',
});
export type ReviewVerdict = z.infer<typeof ReviewVerdict>;

/** The review status of a worktree against a round. */
export const ReviewTreeStanding = enumeration('agent.v1.ReviewTreeStanding', {
  REVIEW_TREE_STANDING_UNSPECIFIED: 'The worktree equals the round, or was not measured.',
  REVIEW_TREE_STANDING_MOVED: 'The worktree differs from the round, and the base does not contain the round.',
  REVIEW_TREE_STANDING_LANDED: 'The base contains the whole round, and the worktree has nothing beyond the base.',
  REVIEW_TREE_STANDING_LANDED_MOVED:
    'The base contains the whole round, and the worktree has new work on top of the base.',
});
export type ReviewTreeStanding = z.infer<typeof ReviewTreeStanding>;

/** What happened to a thread's lines in another round. */
export const ReviewPlaceState = enumeration('agent.v1.ReviewPlaceState', {
  REVIEW_PLACE_STATE_UNSPECIFIED: 'Not determined.',
  REVIEW_PLACE_STATE_STILL: 'The lines are where they were.',
  REVIEW_PLACE_STATE_MOVED: 'The lines are elsewhere, or in another file.',
  REVIEW_PLACE_STATE_CHANGED: 'Other lines are there now.',
  REVIEW_PLACE_STATE_GONE: 'The file is gone.',
});
export type ReviewPlaceState = z.infer<typeof ReviewPlaceState>;

/** Where a thread is in its agent's newest round. The thread's own place never moves. */
export const ReviewPlace = message('agent.v1.ReviewPlace', {
  state: [1, ReviewPlaceState, 'What happened to the lines.'],
  roundId: [2, z.string(), 'The round that this place is in, the agent’s newest.'],
  roundOrdinal: [3, z.int32(), 'The number of that round, counting from one.'],
  filePath: [4, z.string(), 'The file that the lines are in now. Unset if they changed or are gone.'],
  oldStart: [5, z.int32(), 'First line on the old side, counting from one.'],
  oldEnd: [6, z.int32(), 'Last line on the old side, inclusive.'],
  newStart: [7, z.int32(), 'First line on the new side, counting from one.'],
  newEnd: [8, z.int32(), 'Last line on the new side, inclusive.'],
});
export type ReviewPlace = z.infer<typeof ReviewPlace>;

/** One message of a review thread. Timestamps are RFC 3339 in UTC. */
export const ReviewMessage = message('agent.v1.ReviewMessage', {
  id: [1, z.string(), 'The id of the message, as an edit takes it: `msg_` and a ULID.'],
  threadId: [2, z.string(), 'The thread it belongs to.'],
  authorKind: [3, ReviewAuthorKind, 'Whether a person or an agent wrote it. Rely on this, not on `authorAgentId`.'],
  authorAgentId: [4, z.string(), 'The agent that wrote it. Unset for a person, and after that agent is deleted.'],
  body: [5, z.string(), 'The text, at most 1,000 characters.'],
  suggestion: [
    6,
    z.array(z.string()),
    'Lines proposed to replace the thread’s new range. Empty for an ordinary comment.',
  ],
  createdAt: [7, z.string(), 'When it was written: RFC 3339, UTC.'],
  updatedAt: [8, z.string(), 'When it was last edited: RFC 3339, UTC.'],
  delivery: [9, ReviewDeliveryState, 'How far its delivery to the agent has got.'],
  sentAt: [10, z.string(), 'When it was released: RFC 3339, UTC. Unset until then.'],
  deliveredAt: [11, z.string(), 'When the agent claimed the doorbell for it: RFC 3339, UTC. Unset until then.'],
  reviewId: [12, z.string(), 'The review it was released with. Unset for a reply of the agent under review.'],
});
export type ReviewMessage = z.infer<typeof ReviewMessage>;

/** One conversation pinned to a place in a round of an agent's diff. Timestamps are RFC 3339 in UTC. */
export const ReviewThread = message('agent.v1.ReviewThread', {
  id: [1, z.string(), 'The id of the thread, for replies and to resolve it: `thr_` and a ULID.'],
  agentId: [2, z.string(), 'The agent whose diff it is pinned to.'],
  reviewId: [3, z.string(), 'The review it was opened in.'],
  roundId: [4, z.string(), 'The round it is pinned to, which never changes.'],
  roundOrdinal: [5, z.int32(), 'The number of that round, counting from one.'],
  baseSha: [6, z.string(), 'The commit of the old line numbers: the round’s base, or an earlier round’s snapshot.'],
  filePath: [7, z.string(), 'File, relative to the checkout.'],
  oldStart: [8, z.int32(), 'First line on the old side, from one.'],
  oldEnd: [9, z.int32(), 'Last line on the old side, inclusive.'],
  newStart: [10, z.int32(), 'First line on the new side, from one.'],
  newEnd: [11, z.int32(), 'Last line on the new side, inclusive.'],
  quotedLines: [12, z.array(z.string()), 'The diff lines it is about, each with its leading marker.'],
  resolvedAt: [13, z.string(), 'When a person resolved it: RFC 3339, UTC. Unset while it is open.'],
  unreadByHuman: [14, z.boolean(), 'Whether it has a reply of the agent that no person has read.'],
  messages: [15, z.array(ReviewMessage), 'All messages, oldest first.'],
  createdAt: [16, z.string(), 'When it was opened: RFC 3339, UTC.'],
  updatedAt: [17, z.string(), 'When anything in it last changed: RFC 3339, UTC.'],
  place: [
    18,
    ReviewPlace,
    'Where its lines are in the newest round. Unset if that is its own round, or if the host did not answer.',
  ],
});
export type ReviewThread = z.infer<typeof ReviewThread>;

/** The field that names a thread. */
export const threadId = [required(z.string().min(1)), 'The thread, by its id: `thr_` and a ULID.'] as const;
