import { z } from 'zod';
import { reviewedAgentId } from '#contract/agent/agent.ts';
import { meaningsOf, message, required, text } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { Review } from '#contract/review/review.ts';
import { ReviewMessage, ReviewThread, ReviewVerdict, threadId } from '#contract/review/review-thread.ts';

const service = { package: 'agent.v1', service: 'AgentService' } as const;
const id = required(z.string().min(1));
const thread = meaningsOf(ReviewThread);
const commentBody = [required(text(1_000).min(1)), 'What is wrong and what to do, in one or two sentences.'] as const;
const suggestedLines = [
  z.array(z.string()),
  'Lines to replace the thread’s new range, without line ends. Empty for an ordinary comment.',
] as const;

const CreateReviewThreadRequest = message('agent.v1.CreateReviewThreadRequest', {
  agentId: [1, id, 'The agent whose diff to comment on: your parent.'],
  filePath: [2, id, thread.filePath],
  baseSha: [3, z.string(), 'Commit of the old line numbers. Unset: the round’s base.'],
  snapshotSha: [4, z.string(), 'Commit of the new line numbers. Unset: the round you read last.'],
  oldStart: [5, z.int32(), thread.oldStart],
  oldEnd: [6, z.int32(), thread.oldEnd],
  newStart: [7, z.int32(), thread.newStart],
  newEnd: [8, z.int32(), thread.newEnd],
  quotedLines: [9, z.array(z.string()), thread.quotedLines],
  body: [10, ...commentBody],
  suggestion: [11, ...suggestedLines],
});
export type CreateReviewThreadRequest = z.infer<typeof CreateReviewThreadRequest>;

export const createReviewThread = operation({
  ...service,
  method: 'CreateReviewThread',
  summary: 'Pins a comment to a place in another agent’s diff, private until release_review.',
  guidance:
    'Only for the agent whose child you are. quotedLines keep their markers. body: what is wrong and what to do, in one or two ' +
    'sentences. Each call opens a thread: do not retry one that may have succeeded.',
  request: CreateReviewThreadRequest,
  response: message('agent.v1.CreateReviewThreadResponse', {
    thread: [1, ReviewThread, 'The new thread, private until it is released.'],
  }),
  access: 'write',
  private: true,
  idempotent: false,
  roles: ['reviewer'],
});

export const replyReviewThread = operation({
  ...service,
  method: 'ReplyReviewThread',
  summary: 'Replies in a review thread.',
  guidance: 'A reviewer’s reply waits for release_review.',
  request: message('agent.v1.ReplyReviewThreadRequest', {
    threadId: [1, ...threadId],
    body: [2, ...commentBody],
    suggestion: [3, ...suggestedLines],
  }),
  response: message('agent.v1.ReplyReviewThreadResponse', { thread: [1, ReviewThread, 'The thread with the reply.'] }),
  access: 'write',
  private: true,
  idempotent: false,
  roles: ['implementer', 'reviewer'],
});

export const editReviewMessage = operation({
  ...service,
  method: 'EditReviewMessage',
  summary: 'Rewrites a comment of yours.',
  guidance: 'Only before release.',
  request: message('agent.v1.EditReviewMessageRequest', {
    messageId: [1, id, 'The comment to rewrite, by its id.'],
    body: [2, ...commentBody],
    suggestion: [3, ...suggestedLines],
  }),
  response: message('agent.v1.EditReviewMessageResponse', { message: [1, ReviewMessage, 'The comment as rewritten.'] }),
  access: 'write',
  private: true,
  idempotent: true,
  roles: ['reviewer'],
});

export const deleteReviewThread = operation({
  ...service,
  method: 'DeleteReviewThread',
  summary: 'Deletes what you wrote in a thread.',
  guidance: 'Only before release.',
  request: message('agent.v1.DeleteReviewThreadRequest', { threadId: [1, ...threadId] }),
  response: message('agent.v1.DeleteReviewThreadResponse', {}),
  access: 'write',
  private: true,
  idempotent: true,
  roles: ['reviewer'],
});

const ReleaseReviewRequest = message('agent.v1.ReleaseReviewRequest', {
  agentId: [1, ...reviewedAgentId],
  verdict: [2, required(ReviewVerdict), 'Your verdict.'],
  summary: [3, text(2_000), 'A comment on the whole.'],
  reviewId: [4, z.string(), 'The review to release again after a call that may have succeeded.'],
  snapshotSha: [
    5,
    z.string(),
    'Snapshot of the round you judge. Unset: the newest you commented on, else the one you read last.',
  ],
});
export type ReleaseReviewRequest = z.infer<typeof ReleaseReviewRequest>;

export const releaseReview = operation({
  ...service,
  method: 'ReleaseReview',
  summary: 'Releases all your comments with a verdict, and rings the agent.',
  guidance: 'To repeat it, give reviewId. notCounting in the answer: the verdict does not count.',
  request: ReleaseReviewRequest,
  response: message('agent.v1.ReleaseReviewResponse', { review: [1, Review, 'The released review.'] }),
  access: 'write',
  idempotent: false,
  roles: ['reviewer'],
});

export const discardReview = operation({
  ...service,
  method: 'DiscardReview',
  summary: 'Discards your comments.',
  guidance: 'Only before release.',
  request: message('agent.v1.DiscardReviewRequest', { agentId: [1, ...reviewedAgentId] }),
  response: message('agent.v1.DiscardReviewResponse', {
    review: [1, Review, 'The discarded review. Unset if there was none.'],
  }),
  access: 'write',
  private: true,
  idempotent: true,
  destructive: true,
  roles: ['reviewer'],
});

export const applyReviewSuggestion = operation({
  ...service,
  method: 'ApplyReviewSuggestion',
  summary: 'Writes a suggestion into your file if its lines are unchanged.',
  guidance: 'Without messageId: the thread’s newest.',
  request: message('agent.v1.ApplyReviewSuggestionRequest', {
    threadId: [1, ...threadId],
    messageId: [2, z.string(), 'The message whose suggestion to apply. Unset: the newest that has one.'],
  }),
  response: message('agent.v1.ApplyReviewSuggestionResponse', {
    filePath: [1, z.string(), 'The file that was written, relative to the checkout.'],
    start: [2, z.int32(), 'First line of the suggestion in it, counting from one.'],
    end: [3, z.int32(), 'Last line of the suggestion, inclusive.'],
  }),
  access: 'write',
  asks: true,
  idempotent: false,
  roles: ['implementer'],
});
