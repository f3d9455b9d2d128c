import type { z } from 'zod';
import { askHost, type HostCall } from '#actors/registry/host-call.ts';
import type { RegistryScope } from '#actors/registry/registry-scope.ts';
import type { StoredAgent } from '#store/agent-entity.ts';

/** A question about reviews, which says how long its answer may take. */
interface ReviewCall<Q extends z.ZodType, A extends z.ZodType> extends HostCall<Q, A> {
  readonly withinMs: number;
}

/**
 * Asks an agent's host something of its reviews. It must not be asked within a write.
 * @throws Failure of the host; `unavailable` where it does not answer
 */
export async function askAgentHost<Q extends z.ZodType, A extends z.ZodType>(
  { store, lines }: Pick<RegistryScope, 'store' | 'lines'>,
  agent: Pick<StoredAgent, 'host'>,
  call: ReviewCall<Q, A>,
  request: z.input<Q>,
  withinMs = call.withinMs,
): Promise<z.output<A>> {
  const known = await store.read(({ hosts }) => hosts.find(agent.host));
  return askHost(lines, known ?? { id: agent.host, name: agent.host }, call, request, withinMs);
}
