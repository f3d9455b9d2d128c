import { z } from 'zod';
import { explicitBoolean, message, required } from '../message.ts';
import { operation } from '../operation.ts';
import { Pagination } from '../page.ts';
import { Review } from '../review.ts';
import { ReviewThread } from '../review-thread.ts';

const service = { package: 'agent.v1', service: 'AgentService' } as const;
const threadId = required(z.string().min(1));

export const listReviewThreads = operation({
  ...service,
  method: 'ListReviewThreads',
  summary: 'Lists review threads, newest first, and their reviews.',
  guidance: 'place: where the lines are in the newest round. It claims no doorbell: claim_doorbells does.',
  request: message('agent.v1.ListReviewThreadsRequest', {
    agentId: [1, z.string()],
    reviewId: [2, z.string()],
    roundId: [3, z.string()],
    filePath: [4, z.string()],
    /** Only settled ones, or only those that are still owed an answer. */
    resolved: [5, explicitBoolean()],
    /** Only those in which the agent has answered since a person last looked. */
    unreadByHuman: [6, z.boolean()],
    pagination: [7, Pagination],
  }),
  response: message('agent.v1.ListReviewThreadsResponse', {
    threads: [1, z.array(ReviewThread)],
    nextPageToken: [2, z.string()],
    /** Those that the threads came with, the newest one of all, and the caller's own open one. */
    reviews: [3, z.array(Review)],
  }),
  access: 'read',
  idempotent: true,
  roles: ['implementer', 'reviewer'],
});

export const resolveReviewThread = operation({
  ...service,
  method: 'ResolveReviewThread',
  summary: 'Settles a review thread: nobody owes it an answer any more.',
  guidance: 'It may be reopened. Settling a settled thread changes nothing.',
  request: message('agent.v1.ResolveReviewThreadRequest', { threadId: [1, threadId] }),
  response: message('agent.v1.ResolveReviewThreadResponse', { thread: [1, ReviewThread] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const reopenReviewThread = operation({
  ...service,
  method: 'ReopenReviewThread',
  summary: 'Opens a settled review thread again.',
  guidance: 'The agent is not called to it: reply and release, or mail it. Reopening an open thread changes nothing.',
  request: message('agent.v1.ReopenReviewThreadRequest', { threadId: [1, threadId] }),
  response: message('agent.v1.ReopenReviewThreadResponse', { thread: [1, ReviewThread] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const markReviewThreadsRead = operation({
  ...service,
  method: 'MarkReviewThreadsRead',
  summary: 'Says that a person has looked at review threads, so that unreadByHuman is set by the next answer only.',
  guidance: 'threadIds are threads of one agent or of several. A thread that is read already stays so.',
  request: message('agent.v1.MarkReviewThreadsReadRequest', {
    threadIds: [1, required(z.array(z.string().min(1)).min(1).max(200))],
  }),
  response: message('agent.v1.MarkReviewThreadsReadResponse', {}),
  access: 'write',
  idempotent: true,
  roles: [],
});
