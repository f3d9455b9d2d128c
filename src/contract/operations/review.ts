import { z } from 'zod';
import { message, required, text } from '../message.ts';
import { operation } from '../operation.ts';
import { Review } from '../review.ts';
import { ReviewMessage, ReviewThread, ReviewVerdict } from '../review-thread.ts';

const service = { package: 'agent.v1', service: 'AgentService' } as const;
const id = required(z.string().min(1));
const body = required(text(1_000).min(1));
/** Replacement lines of a thread's new range, each without a line's end. */
const suggestion = z.array(z.string());

const CreateReviewThreadRequest = message('agent.v1.CreateReviewThreadRequest', {
  agentId: [1, id],
  filePath: [2, id],
  baseSha: [3, z.string()],
  snapshotSha: [4, z.string()],
  oldStart: [5, z.int32()],
  oldEnd: [6, z.int32()],
  newStart: [7, z.int32()],
  newEnd: [8, z.int32()],
  quotedLines: [9, z.array(z.string())],
  body: [10, body],
  suggestion: [11, suggestion],
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
  response: message('agent.v1.CreateReviewThreadResponse', { thread: [1, ReviewThread] }),
  access: 'write',
  private: true,
  idempotent: false,
  roles: ['reviewer'],
});

export const replyReviewThread = operation({
  ...service,
  method: 'ReplyReviewThread',
  summary: 'Answers in a review thread.',
  guidance: 'A reviewer’s answer waits for release_review.',
  request: message('agent.v1.ReplyReviewThreadRequest', {
    threadId: [1, id],
    body: [2, body],
    suggestion: [3, suggestion],
  }),
  response: message('agent.v1.ReplyReviewThreadResponse', { thread: [1, ReviewThread] }),
  access: 'write',
  private: true,
  idempotent: false,
  roles: ['implementer', 'reviewer'],
});

export const editReviewMessage = operation({
  ...service,
  method: 'EditReviewMessage',
  summary: 'Rewrites a comment of yours.',
  guidance: 'Only while it is not released.',
  request: message('agent.v1.EditReviewMessageRequest', {
    messageId: [1, id],
    body: [2, body],
    suggestion: [3, suggestion],
  }),
  response: message('agent.v1.EditReviewMessageResponse', { message: [1, ReviewMessage] }),
  access: 'write',
  private: true,
  idempotent: true,
  roles: ['reviewer'],
});

export const deleteReviewThread = operation({
  ...service,
  method: 'DeleteReviewThread',
  summary: 'Takes back what you wrote in a thread.',
  guidance: 'Only what is not released.',
  request: message('agent.v1.DeleteReviewThreadRequest', { threadId: [1, id] }),
  response: message('agent.v1.DeleteReviewThreadResponse', {}),
  access: 'write',
  private: true,
  idempotent: true,
  roles: ['reviewer'],
});

const ReleaseReviewRequest = message('agent.v1.ReleaseReviewRequest', {
  agentId: [1, z.string()],
  verdict: [2, required(ReviewVerdict)],
  summary: [3, text(2_000)],
  reviewId: [4, z.string()],
  /** The round that the verdict is given on. Blank means the newest one commented on, or else the one that was read. */
  snapshotSha: [5, z.string()],
});
export type ReleaseReviewRequest = z.infer<typeof ReleaseReviewRequest>;

export const releaseReview = operation({
  ...service,
  method: 'ReleaseReview',
  summary: 'Releases all your comments with a verdict, and calls the agent.',
  guidance: 'To repeat it, give reviewId. notCounting in the answer: the verdict does not count.',
  request: ReleaseReviewRequest,
  response: message('agent.v1.ReleaseReviewResponse', { review: [1, Review] }),
  access: 'write',
  idempotent: false,
  roles: ['reviewer'],
});

export const discardReview = operation({
  ...service,
  method: 'DiscardReview',
  summary: 'Throws your comments away.',
  guidance: 'Only what is not released.',
  request: message('agent.v1.DiscardReviewRequest', { agentId: [1, z.string()] }),
  response: message('agent.v1.DiscardReviewResponse', { review: [1, Review] }),
  access: 'write',
  private: true,
  idempotent: true,
  destructive: true,
  roles: ['reviewer'],
});

export const applyReviewSuggestion = operation({
  ...service,
  method: 'ApplyReviewSuggestion',
  summary: 'Puts a suggestion into your file where its lines still stand.',
  guidance: 'Blank messageId: the thread’s newest.',
  request: message('agent.v1.ApplyReviewSuggestionRequest', { threadId: [1, id], messageId: [2, z.string()] }),
  response: message('agent.v1.ApplyReviewSuggestionResponse', {
    filePath: [1, z.string()],
    /** The lines that it takes up now. */
    start: [2, z.int32()],
    end: [3, z.int32()],
  }),
  access: 'write',
  asks: true,
  idempotent: false,
  roles: ['implementer'],
});
