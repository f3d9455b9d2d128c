import { z } from 'zod';
import { reviewedAgentId } from '#contract/agent/agent.ts';
import { explicitBoolean, message, required } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { nextPageToken, paging } from '#contract/page.ts';
import { Review } from '#contract/review/review.ts';
import { ReviewThread, threadId } from '#contract/review/review-thread.ts';

const service = { package: 'agent.v1', service: 'AgentService' } as const;

export const listReviewThreads = operation({
  ...service,
  method: 'ListReviewThreads',
  summary: 'Lists review threads, newest first, and their reviews.',
  guidance: 'place: where the lines are in the newest round. This claims no doorbell: claim_doorbells does.',
  request: message('agent.v1.ListReviewThreadsRequest', {
    agentId: [1, ...reviewedAgentId],
    reviewId: [2, z.string(), 'Only threads of this review.'],
    roundId: [3, z.string(), 'Only threads pinned to this round.'],
    filePath: [4, z.string(), 'Only threads in this file.'],
    resolved: [5, explicitBoolean(), 'true: only resolved ones; false: only open ones. Unset: both.'],
    unreadByHuman: [6, z.boolean(), 'true: only with a reply that no person has read.'],
    pagination: [7, ...paging],
  }),
  response: message('agent.v1.ListReviewThreadsResponse', {
    threads: [1, z.array(ReviewThread), 'One page, newest first.'],
    nextPageToken: [2, ...nextPageToken],
    reviews: [3, z.array(Review), 'Reviews of these threads, the newest released one, and the caller’s own open one.'],
  }),
  access: 'read',
  idempotent: true,
  roles: ['implementer', 'reviewer'],
});

export const resolveReviewThread = operation({
  ...service,
  method: 'ResolveReviewThread',
  summary: 'Resolves a review thread: it no longer needs a reply.',
  guidance: 'It may be reopened. Resolving a resolved thread changes nothing.',
  request: message('agent.v1.ResolveReviewThreadRequest', { threadId: [1, ...threadId] }),
  response: message('agent.v1.ResolveReviewThreadResponse', { thread: [1, ReviewThread, 'The resolved thread.'] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const reopenReviewThread = operation({
  ...service,
  method: 'ReopenReviewThread',
  summary: 'Reopens a resolved review thread.',
  guidance: 'This does not notify the agent: reply and release, or mail it. Reopening an open thread changes nothing.',
  request: message('agent.v1.ReopenReviewThreadRequest', { threadId: [1, ...threadId] }),
  response: message('agent.v1.ReopenReviewThreadResponse', {
    thread: [1, ReviewThread, 'The reopened thread.'],
  }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const markReviewThreadsRead = operation({
  ...service,
  method: 'MarkReviewThreadsRead',
  summary: 'Marks review threads as read by a person, so that only the next reply sets unreadByHuman.',
  guidance: 'threadIds are threads of one or several agents. A thread that is already read does not change.',
  request: message('agent.v1.MarkReviewThreadsReadRequest', {
    threadIds: [1, required(z.array(z.string().min(1)).min(1).max(200)), 'Threads that a person has read, 1 to 200.'],
  }),
  response: message('agent.v1.MarkReviewThreadsReadResponse', {}),
  access: 'write',
  idempotent: true,
  roles: [],
});
