import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { rankOf } from '#contract/agent/attention.ts';
import { groupByProject } from '#contract/agent/project-groups.ts';

/** A row of the list, with the line that connects it to its parent. */
export interface TreeLine {
  readonly row: AgentRow;
  readonly branch: '' | '├ ' | '└ ';
  /** Set on the first row of a project, if there are several: its name, and how many rows it has. */
  readonly heading?: { readonly project: string; readonly count: number };
}

/** As `agentTree`, but grouped by project. A child belongs to its parent's project. */
export function projectTree(rows: readonly AgentRow[], projectOf: (agent: Agent) => string): readonly TreeLine[] {
  const families = familiesOf(rows).map((family) => ({ ...family, project: projectOf(family.root.agent ?? {}) }));
  const groups = groupByProject(families);
  if (groups.length < 2) return families.flatMap(linesOf);
  return groups.flatMap(([project, members]) => {
    const [first, ...others] = members.flatMap(linesOf);
    return first === undefined ? [] : [{ ...first, heading: { project, count: others.length + 1 } }, ...others];
  });
}

/** A top-level agent and its children. */
interface Family {
  readonly root: AgentRow;
  readonly own: readonly AgentRow[];
  readonly rank: number;
}

/**
 * Sorts rows for a person: families that need attention first, those longest in their state first, each child below its
 * parent. A child whose parent is not listed is a top-level row.
 */
export function agentTree(rows: readonly AgentRow[]): readonly TreeLine[] {
  return familiesOf(rows).flatMap(linesOf);
}

function familiesOf(rows: readonly AgentRow[]): readonly Family[] {
  const listed = new Set(rows.map(({ agent }) => agent?.id));
  const parentOf = ({ agent }: AgentRow) => (listed.has(agent?.parentAgentId) ? agent?.parentAgentId : undefined);
  const children = Map.groupBy(rows, parentOf);
  const families = (children.get(undefined) ?? []).map((root) => {
    const own = (children.get(root.agent?.id) ?? []).toSorted(byNeed);
    return { root, own, rank: Math.min(...[root, ...own].map(({ agent = {} }) => rankOf(agent))) };
  });
  return families.toSorted((one, other) => one.rank - other.rank || byNeed(one.root, other.root));
}

function linesOf({ root, own }: Family): TreeLine[] {
  return [
    { row: root, branch: '' },
    ...own.map((row, index): TreeLine => ({ row, branch: index < own.length - 1 ? '├ ' : '└ ' })),
  ];
}

function byNeed({ agent: one = {} }: AgentRow, { agent: other = {} }: AgentRow): number {
  return (
    rankOf(one) - rankOf(other) || compare(one.stateChangedAt, other.stateChangedAt) || compare(one.name, other.name)
  );
}

function compare(one = '', other = ''): number {
  return one < other ? -1 : Number(one > other);
}
