import { advance } from '#actors/loop.ts';
import { ringHost } from '#bus/bells.ts';
import { Failure } from '#contract/failure.ts';
import type { AgentEvent } from '#machines/agent-context.ts';
import type { StoredAgent } from '#store/agent-entity.ts';
import type { Tables } from '#store/store.ts';
import { called, findAgent, phaseOfAgent } from './find-agent.ts';
import type { RegistryScope } from './registry-scope.ts';

/** The tables within a write that moves agents. */
export interface Change {
  readonly tables: Tables;
  /** Rings a host once the write is durable. */
  ring(hostId: string): void;
}

/** Writes all of a piece of work or nothing, and then rings the hosts whose agents it moved. */
export async function change<T>(
  { store, bus }: Pick<RegistryScope, 'store' | 'bus'>,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  const moved = new Set<string>();
  const result = await store.write((tables) => work({ tables, ring: (hostId) => moved.add(hostId) }));
  for (const hostId of moved) ringHost(bus, hostId);
  return result;
}

/** Tells an agent's machine of an event; false where the event makes no sense in the state it is in. */
export async function send({ tables, ring }: Change, agent: StoredAgent, event: AgentEvent): Promise<boolean> {
  const { accepted } = await advance(tables.journal, await tables.journal.load(agent.id), event);
  if (accepted) ring(agent.host);
  return accepted;
}

/**
 * As `send`, for an event that a caller asks for; gives the agent as it is then.
 * @throws Failure `failed_precondition` naming the operation and the state.
 */
export async function demand(
  change: Change,
  agent: StoredAgent,
  event: AgentEvent,
  method: string,
): Promise<StoredAgent> {
  if (await send(change, agent, event)) {
    return (await change.tables.agents.find(agent.id)) ?? agent;
  }
  throw new Failure(
    'failed_precondition',
    `${method} is not possible for agent ${called(agent)} in ${agent.state} (${phaseOfAgent(agent)})`,
  );
}

/** The agent of an id, to be changed. @throws Failure `not_found`. */
export function agentToChange({ tables }: Change, agentId: string): Promise<StoredAgent> {
  return findAgent(tables.agents, agentId);
}
