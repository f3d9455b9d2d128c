import { useQuery } from '@tanstack/react-query';
import type { AgentRow } from '#page/client/agent/v1/agent_pb.js';

/** Every agent that is not gone, as the stream last sent it. */
export interface Fleet {
  /** By the agent's id. */
  readonly rows: ReadonlyMap<string, AgentRow>;
  /** Whether all of them have been received once. */
  readonly whole: boolean;
}

export const fleetKey = ['fleet'] as const;
export const noFleet: Fleet = { rows: new Map(), whole: false };

/** The stream alone fills it: nothing is ever fetched. */
const cached = { queryKey: fleetKey, queryFn: () => noFleet, enabled: false, structuralSharing: false } as const;

/** The whole fleet; what uses it is redrawn with each move of any agent. */
export function useFleet(): Fleet {
  const { data } = useQuery<Fleet>(cached);
  return data ?? noFleet;
}

/** Whether all agents have been received once. */
export function useIsWhole(): boolean {
  const { data } = useQuery({ ...cached, select: (fleet: Fleet) => fleet.whole });
  return data ?? false;
}

/** One agent's row; what uses it is redrawn when that row moves. */
export function useRow(agentId: string): AgentRow | undefined {
  const { data } = useQuery({ ...cached, select: (fleet: Fleet) => fleet.rows.get(agentId) ?? null });
  return data ?? undefined;
}
