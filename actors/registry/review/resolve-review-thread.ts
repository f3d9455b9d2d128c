import { change } from '#actors/registry/agent/change.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { markReviewThreadsRead, reopenReviewThread, resolveReviewThread } from '#contract/operations/review-thread.ts';
import type { ReviewThread } from '#contract/review/review-thread.ts';
import { seenThread } from './parties.ts';
import { threadsOf } from './resource.ts';
import type { ReviewScope } from './review-scope.ts';
import { showUnread } from './unread.ts';

/** Resolves a thread, and marks it as read by the person. */
export const resolveReviewThreadHandler = handler(resolveReviewThread, ({ threadId }, caller, scope: ReviewScope) =>
  setResolved(scope, caller, threadId, true),
);

/** Reopens a resolved thread. */
export const reopenReviewThreadHandler = handler(reopenReviewThread, ({ threadId }, caller, scope: ReviewScope) =>
  setResolved(scope, caller, threadId, false),
);

function setResolved(
  scope: ReviewScope,
  caller: Caller,
  threadId: string,
  isResolved: boolean,
): Promise<{ thread: ReviewThread | undefined }> {
  return change(scope, async ({ tables, now }) => {
    const { reviews, facts } = tables;
    const thread = await seenThread(tables, caller, threadId);
    if (thread.releasedAt == null) {
      throw new Failure('REVIEW_NOT_RELEASED', `Thread ${thread.id} is not released: release or delete it`);
    }
    if ((thread.resolvedAt != null) !== isResolved) {
      const read = isResolved ? { unreadByHuman: false } : {};
      await reviews.changeThreads([thread.id], { resolvedAt: isResolved ? now : null, updatedAt: now, ...read });
      const kind = isResolved ? 'review.resolved' : 'review.reopened';
      await facts.append([{ kind, subjectId: thread.agent, detail: { threadId: thread.id } }]);
      await showUnread(tables, thread.agent);
    }
    const [shown] = await threadsOf(tables, [(await reviews.thread(thread.id)) ?? thread], 'person');
    return { thread: shown };
  });
}

/** Records that a person has read threads. */
export const markReviewThreadsReadHandler = handler(
  markReviewThreadsRead,
  ({ threadIds }, caller, scope: ReviewScope) =>
    change(scope, async ({ tables }) => {
      const { reviews, facts } = tables;
      const touched = new Set<string>();
      for (const threadId of new Set(threadIds)) {
        const thread = await seenThread(tables, caller, threadId);
        if (!thread.unreadByHuman) continue;
        await reviews.changeThreads([thread.id], { unreadByHuman: false });
        await facts.append([{ kind: 'review.looked-at', subjectId: thread.agent, detail: { threadId: thread.id } }]);
        touched.add(thread.agent);
      }
      for (const agentId of touched) await showUnread(tables, agentId);
      return {};
    }),
);
