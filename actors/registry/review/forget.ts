import type { Change } from '#actors/registry/kernel/writing.ts';
import type { AgentCommit } from '#contract/wire/agent-record.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { advanceBatch } from './batches.ts';

/** Deletes the comments of an unreleased batch; returns how many. */
export async function deleteUnreleased({ tables }: Change, reviewId: string): Promise<number> {
  const { reviews } = tables;
  const said = await reviews.messagesOf(reviewId);
  await reviews.remove(
    said.map(({ id }) => id),
    said.map(({ thread }) => thread),
  );
  return said.length;
}

/** Deletes all reviews of a deleted agent's work, and its own unreleased comments. */
async function forgetReviews(writing: Change, agentId: string): Promise<void> {
  const { reviews, rounds, doorbells } = writing.tables;
  for (const batch of await reviews.openBy(agentId)) {
    await deleteUnreleased(writing, batch.id);
    await advanceBatch(writing, batch, { type: 'DISCARD' });
  }
  await reviews.forget(agentId);
  await rounds.forget(agentId);
  await doorbells.forget(agentId);
}

/** Deletes an agent's reviews with the agent. */
export async function forgetWithAgent(writing: Change, { agentId, snapshot }: AgentCommit): Promise<boolean> {
  if (viewOf(snapshot).gone) await forgetReviews(writing, agentId);
  return false;
}
