import type { AgentRow } from '#contract/agent/agent-row.ts';
import { rankOf } from './agent-state.ts';

/** A row of the list, and the branch that leads to it from its parent. */
export interface TreeLine {
  readonly row: AgentRow;
  readonly branch: '' | '├ ' | '└ ';
}

/**
 * Rows in the order in which a person reads them: families that need them first, the longest in its state first, each
 * child under its parent. A child whose parent is not listed stands by itself.
 */
export function agentTree(rows: readonly AgentRow[]): TreeLine[] {
  const listed = new Set(rows.map(({ agent }) => agent?.id));
  const parentOf = ({ agent }: AgentRow) => (listed.has(agent?.parentAgentId) ? agent?.parentAgentId : undefined);
  const children = Map.groupBy(rows, parentOf);
  const families = (children.get(undefined) ?? []).map((root) => {
    const own = (children.get(root.agent?.id) ?? []).toSorted(byNeed);
    return { root, own, rank: Math.min(...[root, ...own].map(({ agent = {} }) => rankOf(agent))) };
  });
  return families
    .toSorted((one, other) => one.rank - other.rank || byNeed(one.root, other.root))
    .flatMap(({ root, own }) => [
      { row: root, branch: '' } as const,
      ...own.map((row, index) => ({ row, branch: index < own.length - 1 ? '├ ' : '└ ' }) as const),
    ]);
}

function byNeed({ agent: one = {} }: AgentRow, { agent: other = {} }: AgentRow): number {
  return (
    rankOf(one) - rankOf(other) || compare(one.stateChangedAt, other.stateChangedAt) || compare(one.name, other.name)
  );
}

function compare(one = '', other = ''): number {
  return one < other ? -1 : Number(one > other);
}
