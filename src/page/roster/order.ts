import type { AgentRow } from '#page/client/agent/v1/agent_pb.js';
import { lookOf } from '#page/fleet/look.ts';

/** One line of the roster: an agent, and how deep it stands under its parent. */
export interface RosterLine {
  readonly id: string;
  /** 1 for an agent that stands by itself, 2 for a child. */
  readonly level: 1 | 2;
  /** Whether it is the last child of its parent. */
  readonly isLast: boolean;
  /** How many children follow. */
  readonly children: number;
  /** Whether it asks a person something. */
  readonly asks: boolean;
}

interface Placed {
  readonly id: string;
  readonly name: string;
  readonly parentId: string;
  readonly rank: number;
  readonly since: string;
  readonly asks: boolean;
}

/**
 * Rows in the order in which a person reads them: families that need them first, the longest in its state first, each child
 * under its parent. A child whose parent is not among them stands by itself.
 */
export function orderOf(rows: Iterable<AgentRow>): readonly RosterLine[] {
  const placed = new Map<string, Placed>();
  for (const { agent } of rows) {
    if (agent === undefined) continue;
    const { id, name, parentAgentId: parentId, stateChangedAt: since } = agent;
    const { rank, kind } = lookOf(agent);
    placed.set(id, { id, name, parentId, rank, since, asks: kind === 'waiting' && agent.waitingFor !== '' });
  }
  const roots: Placed[] = [];
  const children = new Map<string, Placed[]>();
  for (const one of placed.values()) {
    if (!placed.has(one.parentId)) roots.push(one);
    else children.set(one.parentId, [...(children.get(one.parentId) ?? []), one]);
  }
  const families = roots.map((root) => {
    const own = (children.get(root.id) ?? []).sort(byNeed);
    return { root, own, rank: Math.min(root.rank, own[0]?.rank ?? root.rank) };
  });
  families.sort((one, other) => one.rank - other.rank || byNeed(one.root, other.root));
  return families.flatMap(({ root, own }) => [
    { id: root.id, level: 1, isLast: true, children: own.length, asks: root.asks } as const,
    ...own.map(({ id, asks }, at) => ({ id, level: 2, isLast: at === own.length - 1, children: 0, asks }) as const),
  ]);
}

function byNeed(one: Placed, other: Placed): number {
  return one.rank - other.rank || compare(one.since, other.since) || compare(one.name, other.name);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
