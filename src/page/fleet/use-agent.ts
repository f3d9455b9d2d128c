import { useQuery } from '@tanstack/react-query';
import { agents } from '#page/api/clients.ts';
import type { AgentRow } from '#page/client/agent/v1/agent_pb.js';
import { useIsWhole, useRow } from './fleet.ts';

/**
 * An agent's row, updated live. The row of an agent that is not in the list, because it is archived or gone, is as it
 * was when it was fetched.
 */
export function useAgent(agentId: string): { readonly row: AgentRow | undefined; readonly error: Error | null } {
  const known = useRow(agentId);
  const isWhole = useIsWhole();
  const asked = useQuery({
    queryKey: ['agent', agentId],
    queryFn: ({ signal }) => agents.getAgent({ agentId }, { signal }),
    enabled: isWhole && known === undefined,
  });
  return { row: known ?? asked.data?.agent, error: asked.error };
}
