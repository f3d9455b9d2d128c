import { change } from '#actors/registry/agent/change.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { deleteReviewThread, editReviewMessage, replyReviewThread } from '#contract/operations/review.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredMessage, StoredThread } from '#store/review/entities.ts';
import { advanceBatch, openBatch } from './batches.ts';
import { checkComment } from './comment.ts';
import { participating, partyOf, seenThread } from './parties.ts';
import { messagesOf, threadsOf } from './resource.ts';
import type { ReviewScope } from './review-scope.ts';
import { showUnread } from './unread.ts';

/**
 * Replies in a thread. A reply of the agent under review is released at once, any other one with its author's batch.
 */
export const replyReviewThreadHandler = handler(
  replyReviewThread,
  ({ threadId, body, suggestion = [] }, caller, scope) =>
    change(scope, async (writing) => {
      const { tables } = writing;
      const thread = await seenThread(tables, caller, threadId);
      checkComment(body, suggestion);
      if (suggestion.length > 0 && thread.newStart == null) {
        throw new Failure(
          'INVALID_FIELD',
          `Thread ${thread.id} has no lines on the new side that a suggestion could replace: leave it out`,
          { field: 'suggestion' },
        );
      }
      const author = partyOf(caller);
      await (author === thread.agent
        ? answer(writing, thread, body, suggestion)
        : comment(writing, thread, author, body, suggestion));
      const [shown] = await threadsOf(tables, [(await tables.reviews.thread(thread.id)) ?? thread], author);
      return { thread: shown };
    }),
);

async function answer(
  { tables, ids, now }: Change,
  { id: thread, agent }: StoredThread,
  body: string,
  suggestion: readonly string[],
): Promise<void> {
  const times = { createdAt: now, updatedAt: now, sentAt: now };
  const id = ids.id('msg');
  await tables.reviews.insertMessage({
    id,
    thread,
    agent,
    review: null,
    author: agent,
    body,
    suggestion,
    ...times,
    doorbell: null,
  });
  await tables.reviews.changeThreads([thread], { unreadByHuman: true, updatedAt: now });
  await tables.facts.append([
    { kind: 'review.answered', subjectId: agent, detail: { threadId: thread, messageId: id } },
  ]);
  await showUnread(tables, agent);
}

async function comment(
  writing: Change,
  { id: thread, agent }: StoredThread,
  author: string,
  body: string,
  suggestion: readonly string[],
): Promise<void> {
  const { tables, ids, now } = writing;
  const batch = await openBatch(writing, agent, author);
  await advanceBatch(writing, batch, { type: 'COMMENT' });
  const times = { createdAt: now, updatedAt: now, sentAt: null };
  const id = ids.id('msg');
  await tables.reviews.insertMessage({
    id,
    thread,
    agent,
    review: batch.id,
    author,
    body,
    suggestion,
    ...times,
    doorbell: null,
  });
}

/** Edits an unreleased comment of the caller. */
export const editReviewMessageHandler = handler(
  editReviewMessage,
  ({ messageId, body, suggestion = [] }, caller, scope) =>
    change(scope, async ({ tables, now }) => {
      const message = await ownUnsent(tables.reviews.message(messageId), caller, messageId);
      checkComment(body, suggestion);
      const thread = await tables.reviews.thread(message.thread);
      if (suggestion.length > 0 && thread?.newStart == null) {
        throw new Failure('INVALID_FIELD', 'The thread has no lines on the new side that a suggestion could replace', {
          field: 'suggestion',
        });
      }
      const isSame = message.body === body && JSON.stringify(message.suggestion) === JSON.stringify(suggestion);
      const edited = isSame ? message : { ...message, body, suggestion, updatedAt: now };
      if (!isSame) await tables.reviews.changeMessages([message.id], { body, suggestion, updatedAt: now });
      const [shown] = await messagesOf(tables, [edited]);
      return { message: shown };
    }),
);

async function ownUnsent(
  found: Promise<StoredMessage | undefined>,
  caller: Caller,
  messageId: string,
): Promise<StoredMessage> {
  const agentId = participating(caller);
  const message = await found;
  const isTheirs = message !== undefined && (agentId === undefined || message.agent === agentId);
  const isOwn = message?.author === partyOf(caller);
  if (!isTheirs || (!isOwn && message.sentAt == null)) {
    throw new Failure(
      'REVIEW_MESSAGE_NOT_FOUND',
      `There is no comment ${quoted(messageId)}: list_review_threads shows yours`,
      { field: 'messageId', metadata: { messageId } },
    );
  }
  if (!isOwn)
    throw new Failure('NOT_YOURS', `Comment ${message.id} is not yours: reply to it instead`, {
      field: 'messageId',
    });
  if (message.sentAt == null) return message;
  throw new Failure('REVIEW_RELEASED', `Comment ${message.id} is released and cannot change: reply to it instead`);
}

/** Deletes the caller's unreleased comments in a thread, and the thread if that is unreleased too. */
export const deleteReviewThreadHandler = handler(deleteReviewThread, ({ threadId }, caller, scope: ReviewScope) =>
  deleteUnreleasedIn(scope, caller, threadId),
);

function deleteUnreleasedIn(scope: ReviewScope, caller: Caller, threadId: string): Promise<Record<string, never>> {
  return change(scope, async (writing) => {
    const { reviews } = writing.tables;
    const author = partyOf(caller);
    const thread = await seenThread(writing.tables, caller, threadId);
    const unsent = (await reviews.messages([thread.id], author)).filter(
      (one) => one.author === author && one.sentAt == null,
    );
    const [first] = unsent;
    const batch = first?.review == null ? undefined : await reviews.find(first.review);
    if (batch === undefined) {
      throw new Failure(
        'REVIEW_RELEASED',
        `You have nothing unreleased in thread ${thread.id}: what is released stays`,
      );
    }
    await reviews.remove(
      unsent.map(({ id }) => id),
      [thread.id],
    );
    await advanceBatch(writing, batch, { type: 'TAKE_BACK', count: unsent.length });
    return {};
  });
}
