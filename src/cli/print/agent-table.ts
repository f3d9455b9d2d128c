import type { CliIo } from '#cli/client/io.ts';
import { typedName } from '#cli/find/find-agent.ts';
import { projectNames, type RowNames } from '#cli/find/row-filter.ts';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { kindOf } from '#contract/agent/attention.ts';
import { briefCount, distinctBranch, lastWords } from '#contract/agent/row-text.ts';
import { printable } from '#contract/printable.ts';
import { faultLine, notDeleted, reasonBelow, stateStyle, stateText } from './agent-state.ts';
import { projectTree, type TreeLine } from './agent-tree.ts';
import { type Paint, paintFor } from './color.ts';
import { ago } from './duration.ts';
import { pullRequestCell, standingStyle } from './pull-request-words.ts';
import { type Cell, type Column, textTable } from './text-table.ts';
import { cutToWidth, wrapToWidth } from './width.ts';
import { inWords } from './words.ts';

/** A column of the list: its content, and whether it is shown. */
interface ListColumn extends Column {
  readonly cell: (row: AgentRow, branch: string) => Cell;
  readonly isShown?: boolean;
}

/** Options of a list. */
interface ListOptions {
  /** Whether to show each agent's project even if all have the same. */
  readonly hasProject?: boolean;
  /** All rows before filters, among which the names of projects must be distinct. */
  readonly among?: readonly AgentRow[];
}

/** The indentation of a reason below its row. */
const reasonIndent = 8;
/** The maximum number of lines of a reason. */
const maxReasonLines = 4;
/** The maximum width of an agent's last report. */
const maxSaidWidth = 100;
/** The minimum width of a terminal for the column of turns. */
const turnsMinWidth = 120;
/** The minimum width for the column of CLI versions. */
const versionMinWidth = 160;
/** The maximum number of lines of a question. */
const maxQuestionLines = 2;

/**
 * The list of agents for a person: those that need attention first, children below parents, long reasons below rows.
 */
export function agentTable(io: CliIo, rows: readonly AgentRow[], names: RowNames, asked: ListOptions = {}): string {
  const paint = paintFor(io);
  const { columns: width } = io.stdout;
  const { hasProject = false, among = rows } = asked;
  const projectOf = projectNames(among, names.workflows);
  const tree = projectTree(rows, projectOf);
  const columns = columnsFor(io, rows, names, { hasProject, projectOf }).filter(({ isShown = true }) => isShown);
  const lines = tree.map(({ row, branch }) => columns.map(({ cell }) => cell(row, branch)));
  const [titles = '', ...texts] = textTable(columns, lines, width).split('\n');
  const body = tree.flatMap(({ row, heading }, index) => [
    ...(heading === undefined ? [] : [headingLine(heading, width, paint)]),
    texts[index] ?? '',
    ...questionLines(row, width, paint),
    ...reasonLines(row, width, paint),
  ]);
  return [titles, ...body].map((line) => `${line}\n`).join('');
}

/** The line above a project's first agent. */
function headingLine(
  { project, count }: NonNullable<TreeLine['heading']>,
  width: number | undefined,
  paint: Paint,
): string {
  const text = `${printable(project) || 'no project'} (${count})`;
  return paint('bold', width === undefined ? text : cutToWidth(text, width));
}

function columnsFor(
  io: CliIo,
  rows: readonly AgentRow[],
  { workflows, hosts }: RowNames,
  { hasProject, projectOf }: { readonly hasProject: boolean; readonly projectOf: (agent: Agent) => string },
): readonly ListColumn[] {
  const paint = paintFor(io);
  const plain = (textOf: (agent: Agent) => string) => (row: AgentRow) => ({ text: printable(textOf(row.agent ?? {})) });
  const workflowOf = ({ workflowId = '' }: Agent): string => workflows.get(workflowId) ?? workflowId;
  const hasMany = (values: readonly string[]): boolean => new Set(values).size > 1;
  const agents = rows.flatMap(({ agent }) => agent ?? []);
  const hasProjects = hasProject || hasMany(agents.map(projectOf));
  return [
    { title: 'MARK', cell: ({ mark = '' }) => ({ text: printable(mark) }) },
    {
      title: 'NAME',
      min: 12,
      cell: ({ agent = {} }, branch) => ({ text: branch + printable(agent.name ?? agent.id ?? '') }),
    },
    { title: 'STATE', min: 12, cell: (row) => stateCell(row, io.now(), paint) },
    {
      title: 'FOR',
      cell: ({ agent = {} }) => ({ text: ago(agent.endedAt ?? agent.stateChangedAt ?? agent.createdAt, io.now()) }),
    },
    {
      title: 'RESULT',
      cell: ({ agent = {} }) => ({ text: agent.resultAt === undefined ? '' : `${ago(agent.resultAt, io.now())} ago` }),
      isShown: agents.some(({ resultAt }) => resultAt !== undefined),
    },
    { title: 'PROJECT', min: 7, cell: plain(projectOf), isShown: hasProjects },
    { title: 'HARNESS', min: 6, cell: plain(({ harness = '' }) => harness) },
    {
      title: 'VERSION',
      min: 7,
      cell: plain(({ harnessVersion = '' }) => harnessVersion),
      isShown:
        (io.stdout.columns ?? 0) >= versionMinWidth &&
        agents.some(({ harnessVersion }) => harnessVersion !== undefined),
    },
    {
      title: 'WORKFLOW',
      min: 8,
      cell: plain(workflowOf),
      isShown: !hasProjects || agents.some((agent) => projectOf(agent) !== workflowOf(agent)),
    },
    {
      title: 'HOST',
      min: 8,
      cell: plain(({ hostId = '' }) => hosts.get(hostId) ?? hostId),
      isShown: hasMany([...hosts.keys(), ...agents.flatMap(({ hostId }) => hostId ?? [])]),
    },
    {
      title: 'TURNS',
      cell: ({ agent: { turns } = {} }) => ({ text: turns === undefined ? '' : String(turns) }),
      isShown: (io.stdout.columns ?? turnsMinWidth) >= turnsMinWidth && agents.some(({ turns = 0 }) => turns > 0),
    },
    { title: 'DIFF', cell: diffCell, isShown: agents.some(({ diff }) => diff !== undefined) },
    {
      title: 'PR',
      min: 6,
      cell: (row) => standingCell(row, paint),
      isShown: rows.some((row) => pullRequestCell(row) !== ''),
    },
    {
      title: 'TASK',
      min: 8,
      cutFirst: true,
      cell: plain(taskText),
      isShown: agents.some((one) => taskText(one) !== ''),
    },
  ];
}

function stateCell(row: AgentRow, now: number, paint: Paint): Cell {
  return { text: printable(stateText(row, now)), paint: (text) => paint(stateStyle(row.agent ?? {}), text) };
}

function diffCell({ agent: { diff } = {} }: AgentRow): Cell {
  if (diff === undefined) return { text: '' };
  const { filesChanged = 0, additions = 0, deletions = 0 } = diff;
  return { text: `+${briefCount(additions)} −${briefCount(deletions)} (${filesChanged})` };
}

/** An agent's task, its last report if it is at rest, and its branch if that does not just repeat the name. */
function taskText(agent: Agent): string {
  const branch = distinctBranch(agent);
  const report = cutToWidth(lastWords(agent, kindOf(agent)), maxSaidWidth);
  const work = [agent.task ?? '', report].filter(Boolean).join(' · ');
  return [work, branch && `[${branch}]`].filter(Boolean).join(' ');
}

function standingCell(row: AgentRow, paint: Paint): Cell {
  const style = standingStyle(row.pullRequest?.state);
  return { text: pullRequestCell(row), ...(style && { paint: (text: string) => paint(style, text) }) };
}

/** The question of a waiting agent. */
function questionLines(row: AgentRow, width: number | undefined, paint: Paint): string[] {
  const { agent: { waitingFor = '' } = {} } = row;
  if (waitingFor === '') return [];
  const lines = wrapToWidth(printable(waitingFor), widthForReason(width));
  const last = lines.length > maxQuestionLines ? '…' : '';
  const shown = lines.slice(0, maxQuestionLines);
  return shown.map((line, at) => below(row, paint, at === shown.length - 1 ? line + last : line));
}

function widthForReason(width: number | undefined): number {
  return width === undefined ? Number.POSITIVE_INFINITY : Math.max(20, width - reasonIndent - 1);
}

function below(row: AgentRow, paint: Paint, line: string): string {
  return ' '.repeat(reasonIndent) + paint(stateStyle(row.agent ?? {}), line);
}

interface RowNote {
  readonly text: string;
  /** Whether the text is cut. */
  readonly hasMore: boolean;
}

/** The lines below a row: a refused deletion, why something failed, or the beginning of another reason. */
function notesBelow(agent: Agent): readonly RowNote[] {
  const { fault, failedRunFault, failedRunLog = 0 } = agent;
  const [head = '', ...more] = reasonBelow(agent);
  const failed = fault?.summary
    ? { text: faultLine(fault), hasMore: (fault.output ?? '').trim() !== (fault.errorLine ?? '') }
    : { text: inWords(head), hasMore: more.length > 0 };
  // If the script failed the launch, the launch's own reason says so.
  const run = fault?.summary || !failedRunFault ? '' : `${faultLine(failedRunFault)} (muster run ${failedRunLog})`;
  const notes = [{ text: notDeleted(agent), hasMore: false }, failed, { text: run, hasMore: false }];
  return notes.filter(({ text }) => text !== '');
}

/** The lines below a row, and how to see the rest. */
function reasonLines(row: AgentRow, width: number | undefined, paint: Paint): string[] {
  const { agent = {} } = row;
  const room = widthForReason(width);
  const notes = notesBelow(agent);
  const lines = notes.flatMap(({ text }) => wrapToWidth(printable(text), room));
  const shown = lines.slice(0, maxReasonLines);
  const isWhole = shown.length === lines.length && notes.every(({ hasMore }) => !hasMore);
  const hint = isWhole ? [] : wrapToWidth(`… muster show ${typedName(agent)} shows the rest`, room);
  return [...shown, ...hint].map((line) => below(row, paint, line));
}
