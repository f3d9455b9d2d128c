import { change } from '#actors/registry/agent/change.ts';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { createReviewThread } from '#contract/operations/review.ts';
import { checkAnchor, rangesOf } from './anchor.ts';
import { advanceBatch, openBatch } from './batches.ts';
import { checkComment } from './comment.ts';
import { checkedBase, resolveRound } from './find-round.ts';
import { hostOf } from './host-of.ts';
import { partyOf, reviewedAgent } from './parties.ts';
import { threadsOf } from './resource.ts';
import type { ReviewScope } from './review-scope.ts';

/**
 * Anchors a comment in an agent's diff, in the caller's own batch. Only the caller can see it until the batch is
 * released.
 */
export const createReviewThreadHandler = handler(createReviewThread, async (request, caller, scope: ReviewScope) => {
  const { filePath, quotedLines = [], body, suggestion = [] } = request;
  const author = partyOf(caller);
  const { agent, host, round, baseSha } = await scope.store.read(async (tables) => {
    const found = await reviewedAgent(tables.agents, caller, request.agentId);
    const meant = await resolveRound(tables, found, author, request.snapshotSha);
    return {
      agent: found,
      host: await hostOf(tables, found),
      round: meant,
      baseSha: await checkedBase(tables, found, meant, request.baseSha),
    };
  });
  checkComment(body, suggestion);
  const ranges = rangesOf(request);
  const { snapshotSha } = round;
  const hasSuggestion = suggestion.length > 0;
  const anchor = { ...ranges, filePath, baseSha, snapshotSha, quotedLines, hasSuggestion };
  await checkAnchor(scope, { agent, host }, anchor);
  return change(scope, async (writing) => {
    const { tables, ids, now } = writing;
    await findAgent(tables.agents, agent.id);
    const batch = await openBatch(writing, agent.id, author);
    await advanceBatch(writing, batch, { type: 'COMMENT' });
    const thread = {
      id: ids.id('thr'),
      agent: agent.id,
      review: batch.id,
      round: round.id,
      author,
      baseSha,
      filePath,
      oldStart: ranges.oldStart ?? null,
      oldEnd: ranges.oldEnd ?? null,
      newStart: ranges.newStart ?? null,
      newEnd: ranges.newEnd ?? null,
      quotedLines,
      unreadByHuman: false,
      createdAt: now,
      updatedAt: now,
      releasedAt: null,
      resolvedAt: null,
    };
    await tables.reviews.insertThread(thread);
    await tables.reviews.insertMessage({
      id: ids.id('msg'),
      thread: thread.id,
      agent: agent.id,
      review: batch.id,
      author,
      body,
      suggestion,
      createdAt: now,
      updatedAt: now,
      sentAt: null,
      doorbell: null,
    });
    const [shown] = await threadsOf(tables, [thread], author);
    return { thread: shown };
  });
});
