import { groupByProject } from '#contract/agent/project-groups.ts';
import type { Agent, AgentRow } from '#page/client/agent/v1/agent_pb.js';
import { placeOf, statusOf } from '#page/fleet/agent-status.ts';

/** A line of the roster: an agent, and its level below its parent. */
export interface RosterLine {
  readonly id: string;
  /** 1 for a top-level agent, 2 for a child. */
  readonly level: 1 | 2;
  /** Whether it is the last child of its parent. */
  readonly isLast: boolean;
  /** How many children follow it. */
  readonly children: number;
  /** Whether it has a question for a person. */
  readonly asks: boolean;
  /**
   * The project that begins with this line, and how many agents it has; undefined within a project, or if there is only
   * one project.
   */
  readonly heading?: { readonly project: string; readonly count: number };
}

interface SortableRow {
  readonly id: string;
  readonly name: string;
  readonly parentId: string;
  readonly rank: number;
  readonly since: string;
  readonly asks: boolean;
  readonly project: string;
}

interface Family {
  readonly root: SortableRow;
  readonly own: readonly SortableRow[];
  readonly rank: number;
  readonly project: string;
}

/**
 * Sorts rows: first the families that need a person, those longest in their state first; each child below its parent. A
 * child whose parent is not in the list is on the top level. If there are several projects, each has its own part of
 * the list: first those that need a person, then by name.
 */
export function orderOf(rows: Iterable<AgentRow>, projectOf: (agent: Agent) => string): readonly RosterLine[] {
  const placed = new Map<string, SortableRow>();
  for (const { agent } of rows) {
    if (agent === undefined) continue;
    const { id, name, parentAgentId: parentId, stateChangedAt: since } = agent;
    const [rank, { kind }] = [placeOf(agent), statusOf(agent)];
    const asks = kind === 'waiting' && agent.waitingFor !== '';
    placed.set(id, { id, name, parentId, rank, since, asks, project: projectOf(agent) });
  }
  const families = familiesOf(placed);
  const groups = groupByProject(families);
  if (groups.length < 2) return families.flatMap((family) => linesOf(family));
  return groups.flatMap(([project, members]) => {
    const [first, ...others] = members.flatMap((family) => linesOf(family));
    return first === undefined ? [] : [{ ...first, heading: { project, count: others.length + 1 } }, ...others];
  });
}

function familiesOf(placed: ReadonlyMap<string, SortableRow>): Family[] {
  const roots: SortableRow[] = [];
  const children = new Map<string, SortableRow[]>();
  for (const one of placed.values()) {
    if (!placed.has(one.parentId)) roots.push(one);
    else children.set(one.parentId, [...(children.get(one.parentId) ?? []), one]);
  }
  const families = roots.map((root) => {
    const own = (children.get(root.id) ?? []).sort(byNeed);
    return { root, own, rank: Math.min(root.rank, own[0]?.rank ?? root.rank), project: root.project };
  });
  return families.sort((one, other) => one.rank - other.rank || byNeed(one.root, other.root));
}

function linesOf({ root, own }: Family): RosterLine[] {
  return [
    { id: root.id, level: 1, isLast: true, children: own.length, asks: root.asks },
    ...own.map(({ id, asks }, at): RosterLine => ({ id, level: 2, isLast: at === own.length - 1, children: 0, asks })),
  ];
}

function byNeed(one: SortableRow, other: SortableRow): number {
  return one.rank - other.rank || compare(one.since, other.since) || compare(one.name, other.name);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
