import type { z } from 'zod';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { askWithPermit } from '#actors/registry/host/ask-with-permit.ts';
import { askHost, type HostCall, type TargetHost } from '#actors/registry/host/host-call.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { Tables } from '#store/store.ts';
import type { ReviewScope } from './review-scope.ts';

/** A request about reviews, with the time that its answer may take. */
interface ReviewCall<Q extends z.ZodType, A extends z.ZodType> extends HostCall<Q, A> {
  readonly withinMs: number;
}

/**
 * How much time what a review changes must have when it begins, in milliseconds: one file or one reference is written.
 */
const minMs = 1_000;

/**
 * Asks an agent's host something of its reviews. It must not be asked within a write.
 * @throws Failure of the host; UNAVAILABLE when it does not answer
 */
export async function askAgentHost<Q extends z.ZodType, A extends z.ZodType>(
  { store, lines }: Pick<ReviewScope, 'store' | 'lines'>,
  agent: Pick<StoredAgent, 'host'>,
  call: ReviewCall<Q, A>,
  request: z.input<Q>,
  withinMs = call.withinMs,
): Promise<z.output<A>> {
  return askHost(lines, await store.read((tables) => hostOf(tables, agent)), call, request, withinMs);
}

/** What a review changes at an agent's host, and what may keep it from being changed at the last moment. */
interface ReviewAct {
  /** How long the host may take; as long as the call says where it is left out. */
  readonly withinMs?: number | undefined;
  /** Refuses what may not be done to the agent as it is when the host is about to do it. */
  readonly check?: (agent: StoredAgent) => void;
}

/**
 * Has an agent's host change something for a review. It must not be asked within a write.
 * @throws Failure as `askWithPermit`; NOT_FOUND when the agent is gone by then
 */
export async function haveAgentHost<Q extends z.ZodType<{ readonly ticket: string }>, A extends z.ZodType>(
  scope: Pick<ReviewScope, 'store' | 'lines' | 'permits'>,
  agent: Pick<StoredAgent, 'id' | 'host'>,
  call: ReviewCall<Q, A>,
  request: Omit<z.input<Q> & object, 'ticket'>,
  { withinMs = call.withinMs, check }: ReviewAct = {},
): Promise<z.output<A>> {
  const { store } = scope;
  const decide = () =>
    store.read(async ({ agents, journal }) => {
      const found = await findAgent(agents, agent.id);
      check?.(found);
      return journal.load(found.id);
    });
  return askWithPermit(scope, await store.read((tables) => hostOf(tables, agent)), call, request, {
    withinMs,
    minMs,
    decide,
  });
}

/** The host that an agent is on; by its id alone if nothing is known of it any more. */
export async function hostOf({ hosts }: Tables, { host }: Pick<StoredAgent, 'host'>): Promise<TargetHost> {
  return (await hosts.find(host)) ?? { id: host, name: host };
}
