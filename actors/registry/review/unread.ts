import type { Tables } from '#store/store.ts';

/** Shows on an agent's row how many threads of reviews of its work a person has not read, if that moved. */
export async function showUnread({ agents, reviews, journal }: Tables, agentId: string): Promise<void> {
  const agent = await agents.find(agentId);
  if (agent !== undefined) await journal.setReviewed(agent, { unreadThreads: await reviews.unreadOf(agentId) });
}
