import type { AgentRow } from '#contract/agent-row.ts';
import { lookOf, rankOf, stateText } from './agent-state.ts';
import { agentTree } from './agent-tree.ts';
import { paintFor } from './color.ts';
import { ago } from './duration.ts';
import type { CliIo } from './io.ts';
import { printable } from './printable.ts';
import { type Column, textTable } from './text-table.ts';

const columns: readonly Column[] = [
  { title: 'MARK' },
  { title: 'NAME', least: 12 },
  { title: 'STATE', least: 12 },
  { title: 'FOR' },
  { title: 'HARNESS', least: 6 },
  { title: 'WORKFLOW', least: 8 },
  { title: 'BRANCH', least: 8 },
];

/** The list of agents for a person: what needs them first, children under their parents. */
export function agentTable(io: CliIo, rows: readonly AgentRow[], workflowNames: ReadonlyMap<string, string>): string {
  const paint = paintFor(io);
  const lines = agentTree(rows).map(({ row, branch }) => {
    const { agent = {}, mark = '' } = row;
    const { style } = lookOf(agent);
    const resting = rankOf(agent) > lookOf(agent).rank;
    const workflow = agent.workflowId ?? '';
    return [
      { text: printable(mark) },
      { text: branch + printable(agent.name ?? agent.id ?? '') },
      { text: printable(stateText(row)), paint: (text: string) => paint(resting ? 'dim' : style, text) },
      { text: ago(agent.stateChangedAt ?? agent.createdAt, io.now()) },
      { text: printable(agent.harness ?? '') },
      { text: printable(workflowNames.get(workflow) ?? workflow) },
      { text: printable(agent.branch ?? '') },
    ];
  });
  return textTable(columns, lines, io.stdout.columns);
}
