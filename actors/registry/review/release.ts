import { raiseBell } from '#actors/registry/doorbells.ts';
import { called, hasEnded } from '#actors/registry/find-agent.ts';
import type { Change } from '#actors/registry/writing.ts';
import { Failure } from '#contract/failure.ts';
import { batchViewOf, type Conclusion } from '#machines/review-batch.ts';
import type { StoredAgent } from '#store/agent-entity.ts';
import type { StoredReview } from '#store/review/entities.ts';
import { moveBatch } from './batches.ts';

/**
 * Releases a batch whole: its comments are the agent's to read, its verdict shows on the row, and the agent's doorbell is
 * raised once. All of it is one write.
 * @throws Failure `failed_precondition` where the batch is closed or the agent has ended
 */
export async function releaseBatch(
  writing: Change,
  agent: StoredAgent,
  batch: StoredReview,
  conclusion: Conclusion,
): Promise<StoredReview> {
  if (hasEnded(agent)) {
    const how = agent.standing === 'archived' ? 'is archived: restore it first' : 'is being deleted';
    throw new Failure('failed_precondition', `Agent ${called(agent)} ${how}, so nothing can be released to it`);
  }
  const { tables, now } = writing;
  const { reviews, journal } = tables;
  const released = await moveBatch(writing, batch, { type: 'RELEASE', conclusion });
  const said = await reviews.messagesOf(batch.id);
  const { comments } = batchViewOf(released.snapshot);
  const doorbell = await raiseBell(writing, agent.id, { cause: 'DOORBELL_CAUSE_REVIEW', count: Math.max(comments, 1) });
  await reviews.changeMessages(
    said.map(({ id }) => id),
    { sentAt: now, doorbell },
  );
  const threads = await reviews.threadsById([...new Set(said.map(({ thread }) => thread))]);
  const [opened, known] = [
    threads.filter(({ releasedAt }) => releasedAt == null),
    threads.filter(({ releasedAt }) => releasedAt != null),
  ];
  await reviews.changeThreads(
    opened.map(({ id }) => id),
    { releasedAt: now, updatedAt: now },
  );
  await reviews.changeThreads(
    known.map(({ id }) => id),
    { updatedAt: now },
  );
  const isSameRound = (await reviews.roundsReviewed(agent.id)) === agent.localReviewRounds;
  await journal.setReviewed(agent, {
    localReviewVerdict: conclusion.verdict,
    localReviewRounds: await reviews.roundsReviewed(agent.id),
    // Where the tree stands against another round than the last verdict's is not known until it is measured.
    ...(isSameRound ? {} : { localReviewTree: null }),
  });
  return released;
}
