import type { CliIo } from '#cli/client/io.ts';
import { typedName } from '#cli/find/find-agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { printable } from '#contract/printable.ts';
import { lookOf, rankOf, reasonBelow, stateText } from './agent-state.ts';
import { agentTree } from './agent-tree.ts';
import { type Paint, paintFor, type Style } from './color.ts';
import { ago } from './duration.ts';
import { beside, standingStyle } from './pull-request-words.ts';
import { type Cell, type Column, textTable } from './text-table.ts';
import { wrapToWidth } from './width.ts';

/** HOST stands there only where there are several. */
const columns: readonly Column[] = [
  { title: 'MARK' },
  { title: 'NAME', least: 12 },
  { title: 'STATE', least: 12 },
  { title: 'FOR' },
  { title: 'HARNESS', least: 6 },
  { title: 'WORKFLOW', least: 8 },
  { title: 'HOST', least: 8 },
  { title: 'BRANCH', least: 8, cutFirst: true },
];
/** Stands there only where an agent has a pull request. */
const pullRequestColumn: Column = { title: 'PR', least: 6 };

/** Where a reason stands below its row: under the name, and a little in. */
const reasonIndent = 8;
/** The most lines that a reason takes of the list. */
const reasonLinesMost = 4;
/** The most lines that a question takes of it. */
const questionLinesMost = 2;

/** The names of what rows name by its id. */
export interface RowNames {
  readonly workflows: ReadonlyMap<string, string>;
  /** Every host that there is, where the caller may know it. */
  readonly hosts: ReadonlyMap<string, string>;
}

/** The list of agents for a person: what needs them first, children under their parents, long reasons below their row. */
export function agentTable(io: CliIo, rows: readonly AgentRow[], { workflows, hosts }: RowNames): string {
  const paint = paintFor(io);
  const hasHosts = new Set([...hosts.keys(), ...rows.flatMap(({ agent }) => agent?.hostId ?? [])]).size > 1;
  const { columns: width } = io.stdout;
  const tree = agentTree(rows);
  const hasPullRequests = rows.some((row) => beside(row) !== '');
  const lines = tree.map(({ row, branch }) => {
    const { agent = {}, mark = '' } = row;
    const [workflow, host] = [agent.workflowId ?? '', agent.hostId ?? ''];
    return [
      { text: printable(mark) },
      { text: branch + printable(agent.name ?? agent.id ?? '') },
      { text: printable(stateText(row, io.now())), paint: (text: string) => paint(styleOf(row), text) },
      { text: ago(agent.stateChangedAt ?? agent.createdAt, io.now()) },
      { text: printable(agent.harness ?? '') },
      { text: printable(workflows.get(workflow) ?? workflow) },
      ...(hasHosts ? [{ text: printable(hosts.get(host) ?? host) }] : []),
      { text: printable(agent.branch ?? '') },
      ...(hasPullRequests ? [standingCell(row, paint)] : []),
    ];
  });
  const own = columns.filter(({ title }) => hasHosts || title !== 'HOST');
  const [titles = '', ...texts] = textTable(hasPullRequests ? [...own, pullRequestColumn] : own, lines, width).split(
    '\n',
  );
  const body = tree.flatMap(({ row }, index) => [
    texts[index] ?? '',
    ...questionLines(row, width, paint),
    ...reasonLines(row, width, paint),
  ]);
  return [titles, ...body].map((line) => `${line}\n`).join('');
}

function standingCell(row: AgentRow, paint: Paint): Cell {
  const style = standingStyle(row.pullRequest?.state);
  return { text: beside(row), ...(style && { paint: (text: string) => paint(style, text) }) };
}

function styleOf({ agent = {} }: AgentRow): Style {
  const { style, rank } = lookOf(agent);
  return rankOf(agent) > rank || agent.lastKnownAt ? 'dim' : style;
}

/** What an agent that waits asks. */
function questionLines(row: AgentRow, width: number | undefined, paint: Paint): string[] {
  const { agent: { waitingFor = '' } = {} } = row;
  if (waitingFor === '') return [];
  const lines = wrapToWidth(printable(waitingFor), roomOf(width));
  const last = lines.length > questionLinesMost ? '…' : '';
  const shown = lines.slice(0, questionLinesMost);
  return shown.map((line, at) => below(row, paint, at === shown.length - 1 ? line + last : line));
}

function roomOf(width: number | undefined): number {
  return width === undefined ? Number.POSITIVE_INFINITY : Math.max(20, width - reasonIndent - 1);
}

function below(row: AgentRow, paint: Paint, line: string): string {
  return ' '.repeat(reasonIndent) + paint(styleOf(row), line);
}

/** The beginning of a long reason in lines, and how to see the rest. */
function reasonLines(row: AgentRow, width: number | undefined, paint: Paint): string[] {
  const { agent = {} } = row;
  const [head, ...more] = reasonBelow(agent);
  if (head === undefined) return [];
  // Of what was written, the end says most.
  const first = head.endsWith(':') ? `${head} ${more.splice(-1).join('').trim()}`.trimEnd() : head;
  const room = roomOf(width);
  const lines = wrapToWidth(printable(first), room);
  const shown = lines.slice(0, reasonLinesMost);
  const isWhole = more.length === 0 && shown.length === lines.length;
  const hint = isWhole ? [] : wrapToWidth(`… muster show ${typedName(agent)} shows the rest`, room);
  return [...shown, ...hint].map((line) => below(row, paint, line));
}
