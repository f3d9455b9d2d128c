import type { Client, ResponseOf } from '#cli/client/client.ts';
import { follow, type OnLost } from '#cli/client/follow.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { everyAgent } from '#cli/find/find-agent.ts';
import {
  addRowFilters,
  isNarrowed,
  type RowFilterFlags,
  type RowNames,
  requireNamed,
  rowFilter,
} from '#cli/find/row-filter.ts';
import { namesIn, noNames } from '#cli/find/row-names.ts';
import { agentTable } from '#cli/print/agent-table.ts';
import { agentTree } from '#cli/print/agent-tree.ts';
import { paintFor } from '#cli/print/color.ts';
import { ago } from '#cli/print/duration.ts';
import { formatOf, type OutputFlags, outputOption, writeJsonLine, writeList } from '#cli/print/output.ts';
import { screenOf } from '#cli/print/screen.ts';
import { wrapToWidth } from '#cli/print/width.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { printable } from '#contract/printable.ts';

interface LsFlags extends OutputFlags, RowFilterFlags {
  readonly archived?: true;
  readonly all?: true;
  readonly watch?: true;
}

/** Milliseconds after which a watched list is redrawn even without a change, because ages grow. */
const redrawEvery = 5_000;

/** `muster ls` */
export const define: Define = (command, session) => {
  addRowFilters(command)
    .description(
      'Lists agents, including those whose CLI has ended. Those that need you come first; children are below their parent.\n\n' +
        'As JSON: the rows of list_agents. --watch draws the list again on a terminal; elsewhere, and with -o json or jsonl, ' +
        'it writes each row that changes as a line of JSON, and {"goneAgentId":…} for one that is deleted.',
    )
    .option('--archived', 'only archived agents')
    .option('--all', 'archived agents too, and those that their schedule hides')
    .option('-w, --watch', 'keep showing the list as it changes')
    .addOption(outputOption())
    .action((flags: LsFlags) => (flags.watch ? watchList(session, flags) : list(session, flags)));
};

async function list({ io, client: connect }: Session, flags: LsFlags): Promise<void> {
  const client = connect();
  const [names, all] = await Promise.all([needsNames(io, flags) ? namesIn(client) : noNames, everyRow(client, flags)]);
  const shown = all.filter((row) => flags.all || !row.hidden).filter(rowFilter(flags, names, all));
  if (shown.length === 0) requireNamed(flags, names, all);
  const rows = agentTree(shown).map(({ row }) => row);
  writeList(io, flags, rows, () => page(io, rows, names, { flags, among: all }));
}

/** All rows that the flags list, before the filters. */
async function everyRow(client: Client, { all, archived }: LsFlags): Promise<readonly AgentRow[]> {
  const wanted = all ? [false, true] : [archived === true];
  return (await Promise.all(wanted.map((one) => everyAgent(client, one)))).flat();
}

function needsNames(io: CliIo, flags: LsFlags): boolean {
  return formatOf(io, flags) === 'table' || isNarrowed(flags);
}

/** The request, and all rows that could be listed. */
interface ListContext {
  readonly flags: LsFlags;
  readonly among: readonly AgentRow[];
}

function page(io: CliIo, rows: readonly AgentRow[], names: RowNames, { flags, among }: ListContext): string {
  if (rows.length > 0) return agentTable(io, rows, names, { hasProject: flags.project !== undefined, among });
  return isNarrowed(flags)
    ? 'No agent matches: leave a filter out\n'
    : 'There are no agents: launch one with muster new "what to do"\n';
}

type Changes = (
  onLost?: OnLost,
  onRestart?: () => void,
) => AsyncIterable<ResponseOf<'agent.v1.AgentService/WatchAgents'>>;

async function watchList({ io, client: connect }: Session, flags: LsFlags): Promise<void> {
  const client = connect();
  const wanted = (row: AgentRow): boolean =>
    flags.all === true || (!row.hidden && (row.agent?.archivedAt !== undefined) === (flags.archived === true));
  const changes: Changes = (onLost, onRestart) =>
    follow(
      io,
      (cursor) => client.watch('agent.v1.AgentService/WatchAgents', cursor === undefined ? {} : { cursor }, io.signal),
      { ...(onLost && { onLost }), ...(onRestart && { onRestart }) },
    );
  const names = isDrawn(io, flags) || isNarrowed(flags) ? await namesIn(client) : noNames;
  requireNamed(flags, names, flags.project === undefined ? [] : await everyRow(client, flags));
  const watched: ListWatch = { client, changes, wanted, flags, names };
  if (isDrawn(io, flags)) await drawRows(io, watched);
  else await writeRows(io, watched);
}

/** Whether a watched list is drawn in place, for a person, instead of line by line, for a program. */
function isDrawn({ stdout }: CliIo, { output }: LsFlags): boolean {
  return output === undefined ? stdout.isTTY : output === 'table';
}

/** The watch, and the filter of its rows. */
interface ListWatch {
  readonly client: Client;
  readonly changes: Changes;
  /** Whether a row may be listed at all, before the filters. */
  readonly wanted: (row: AgentRow) => boolean;
  readonly flags: LsFlags;
  readonly names: RowNames;
}

/** Prints each row as it changes, for a program. */
async function writeRows(io: CliIo, { changes, wanted, flags, names }: ListWatch): Promise<void> {
  const reported = new Set<string>();
  const rows = new Map<string, AgentRow>();
  for await (const { agents = [], goneAgentIds = [] } of changes(undefined, () => rows.clear())) {
    for (const row of agents) rows.set(row.agent?.id ?? '', row);
    const isLeft = rowFilter(flags, names, isNarrowed(flags) ? [...rows.values()] : []);
    for (const row of agents.filter((one) => (wanted(one) && isLeft(one)) || reported.has(one.agent?.id ?? ''))) {
      reported.add(row.agent?.id ?? '');
      writeJsonLine(io, row);
    }
    for (const goneAgentId of goneAgentIds) {
      rows.delete(goneAgentId);
      if (reported.delete(goneAgentId)) writeJsonLine(io, { goneAgentId });
    }
  }
}

/**
 * Keeps the list on the terminal up to date. While the service is unreachable, it says so above the last known list.
 */
async function drawRows(io: CliIo, { client, changes, wanted, flags, names: known }: ListWatch): Promise<void> {
  const rows = new Map<string, AgentRow>();
  let names = known;
  const asked = new Set<string | undefined>();
  let away: { readonly why: string; readonly since: string } | undefined;
  const text = (): string => {
    const lines =
      away && wrapToWidth(printable(awayText(away.why, ago(away.since, io.now()))), io.stdout.columns ?? 80);
    const warning = lines?.map((line) => `${paintFor(io)(['red', 'bold'], line)}\n`).join('') ?? '';
    const all = [...rows.values()];
    return warning + page(io, all.filter(wanted).filter(rowFilter(flags, names, all)), names, { flags, among: all });
  };
  const screen = screenOf(io, text, redrawEvery);
  const onLost: OnLost = (why) => {
    const since = away?.since ?? new Date(io.now()).toISOString();
    away = why && { why: why.message, since };
    screen.draw();
  };
  try {
    for await (const { agents = [], goneAgentIds = [] } of changes(onLost, () => rows.clear())) {
      for (const row of agents) rows.set(row.agent?.id ?? '', row);
      for (const id of goneAgentIds) rows.delete(id);
      const unknown = agents
        .flatMap(({ agent }) => [agent?.workflowId, agent?.hostId])
        .filter((id = '') => !names.workflows.has(id) && !names.hosts.has(id) && !asked.has(id));
      if (unknown.length > 0) names = await namesIn(client);
      for (const id of unknown) asked.add(id);
      screen.draw();
    }
  } finally {
    screen.close();
  }
}

function awayText(why: string, since: string): string {
  return `NOT CONNECTED for ${since}, retrying; the list may be out of date. ${why}`;
}
