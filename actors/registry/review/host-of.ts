import type { z } from 'zod';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { askWithPermit } from '#actors/registry/host/ask-with-permit.ts';
import { askHost, type HostCall, type TargetHost } from '#actors/registry/host/host-call.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { Tables } from '#store/tables.ts';
import type { ReviewScope } from './review-scope.ts';

/** A kind of request about reviews, and how long the host may take to answer, in milliseconds. */
interface ReviewCall<Q extends z.ZodType, A extends z.ZodType> extends HostCall<Q, A> {
  readonly withinMs: number;
}

/** How much time must be left when a change begins, in milliseconds: enough to write one file or one reference. */
const minMs = 1_000;

/**
 * Sends a request about reviews to an agent's host. Must not be called within a transaction.
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

/** The time limit and the last check of a change on an agent's host. */
interface ReviewAct {
  /** How long the host may take, in milliseconds; by default that of the call. */
  readonly withinMs?: number | undefined;
  /** Called with the current agent right before the host makes the change. @throws Failure to refuse it */
  readonly check?: (agent: StoredAgent) => void;
}

/**
 * Asks an agent's host to change something for a review. Must not be called within a transaction.
 * @throws Failure as `askWithPermit`; NOT_FOUND when the agent has been deleted meanwhile
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

/** The host that an agent is on. If its row is missing, its id serves as its name. */
export async function hostOf({ hosts }: Tables, { host }: Pick<StoredAgent, 'host'>): Promise<TargetHost> {
  return (await hosts.find(host)) ?? { id: host, name: host };
}
