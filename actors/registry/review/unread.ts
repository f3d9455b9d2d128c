import type { Tables } from '#store/tables.ts';

/** Updates the number of threads on an agent's row that a person has not read. */
export async function showUnread({ agents, reviews, journal }: Tables, agentId: string): Promise<void> {
  const agent = await agents.find(agentId);
  if (agent !== undefined) await journal.setReviewed(agent, { unreadThreads: await reviews.unreadOf(agentId) });
}
