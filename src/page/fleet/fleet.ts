import { useQuery } from '@tanstack/react-query';
import type { AgentRow } from '#page/client/agent/v1/agent_pb.js';

/** All agents that are not gone, as last received from the stream. */
export interface Fleet {
  /** By the agent's id. */
  readonly rows: ReadonlyMap<string, AgentRow>;
  /** Whether the whole fleet has been received once. */
  readonly whole: boolean;
}

export const fleetKey = ['fleet'] as const;
export const noFleet: Fleet = { rows: new Map(), whole: false };

/** Filled by the stream alone; nothing is ever fetched. */
const cached = { queryKey: fleetKey, queryFn: () => noFleet, enabled: false, structuralSharing: false } as const;

/** The whole fleet. Re-renders with each change of any agent. */
export function useFleet(): Fleet {
  const { data } = useQuery<Fleet>(cached);
  return data ?? noFleet;
}

/** Whether the whole fleet has been received once. */
export function useIsWhole(): boolean {
  const { data } = useQuery({ ...cached, select: (fleet: Fleet) => fleet.whole });
  return data ?? false;
}

/** An agent's row. Re-renders with each change of it. */
export function useRow(agentId: string): AgentRow | undefined {
  const { data } = useQuery({ ...cached, select: (fleet: Fleet) => fleet.rows.get(agentId) ?? null });
  return data ?? undefined;
}
