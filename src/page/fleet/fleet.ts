import { useQuery } from '@tanstack/react-query';
import type { AgentRow } from '#page/client/agent/v1/agent_pb.js';

/** Every agent that is not gone, as the stream last told it. */
export interface Fleet {
  /** By the agent's id. */
  readonly rows: ReadonlyMap<string, AgentRow>;
  /** Whether all of them have been told once. */
  readonly whole: boolean;
}

export const fleetKey = ['fleet'] as const;
export const noFleet: Fleet = { rows: new Map(), whole: false };

/** The stream alone fills it: nothing is ever fetched. */
const told = { queryKey: fleetKey, queryFn: () => noFleet, enabled: false, structuralSharing: false } as const;

/** The whole fleet; what uses it is drawn anew with each move of any agent. */
export function useFleet(): Fleet {
  const { data } = useQuery<Fleet>(told);
  return data ?? noFleet;
}

/** One agent's row; what uses it is drawn anew when that row moves. */
export function useRow(agentId: string): AgentRow | undefined {
  const { data } = useQuery({ ...told, select: (fleet: Fleet) => fleet.rows.get(agentId) ?? null });
  return data ?? undefined;
}
