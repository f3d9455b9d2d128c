import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '#cli/client/client.ts';
import { everyAgent } from '#cli/find/find-agent.ts';
import { Failure } from '#contract/failure.ts';

/** How long a host may take to find its windows again, in milliseconds. */
const withinMs = 60_000;

/** The ids of agents whose windows are open. */
export async function agentsWithWindows(client: Client): Promise<readonly string[]> {
  const rows = await everyAgent(client, false);
  return rows.flatMap(({ agent }) => (agent?.alive && agent.id !== undefined ? [agent.id] : []));
}

/** Waits until hosts have found the windows of these agents again; it does not fail if some have ended meanwhile. */
export async function awaitWindows(client: Client, agents: readonly string[]): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = new Set(await agentsWithWindows(client).catch(ignoreUnreachable));
    if (agents.every((id) => found.has(id)) || performance.now() > deadline) return;
    await delay(250);
  }
}

/** The service may be unreachable for a moment after its start. */
function ignoreUnreachable(error: unknown): readonly string[] {
  if (error instanceof Failure) return [];
  throw error;
}
