import type { AgentRow } from '#contract/agent-row.ts';
import { agentTable } from '../agent-table.ts';
import { agentTree } from '../agent-tree.ts';
import type { Client } from '../client.ts';
import { everyAgent } from '../find-agent.ts';
import { everyWorkflow } from '../find-workflow.ts';
import { follow } from '../follow.ts';
import { formatOf, type OutputFlags, outputOption, writeJsonLine, writeList } from '../output.ts';
import { screenOf } from '../screen.ts';
import type { Define, Session } from '../session.ts';

interface LsFlags extends OutputFlags {
  readonly archived?: true;
  readonly all?: true;
  readonly watch?: true;
}

/** Milliseconds after which a watched list is drawn again although nothing moved, since ages grow. */
const redrawEvery = 5_000;

/** `muster ls` */
export const define: Define = (command, session) => {
  command
    .description(
      'Lists agents, live and dormant, those that need you first; children stand under their parent.\n\n' +
        'As JSON: the rows of list_agents. With --watch and no terminal: one row a line as it moves, and ' +
        '{"goneAgentId":…} for one that is gone.',
    )
    .option('--archived', 'only archived agents')
    .option('--all', 'archived agents too')
    .option('-w, --watch', 'go on showing the list as it moves')
    .addOption(outputOption())
    .action((flags: LsFlags) => (flags.watch ? watchList(session, flags) : list(session, flags)));
};

async function list({ io, client: connect }: Session, flags: LsFlags): Promise<void> {
  const client = connect();
  const wanted = flags.all ? [false, true] : [flags.archived === true];
  const [names, ...found] = await Promise.all([
    formatOf(io, flags) === 'table' ? workflowNames(client) : new Map<string, string>(),
    ...wanted.map((archived) => everyAgent(client, archived)),
  ]);
  const rows = agentTree(found.flat()).map(({ row }) => row);
  writeList(io, flags, rows, () =>
    rows.length > 0 ? agentTable(io, rows, names) : 'There are no agents: launch one with muster new "what to do"\n',
  );
}

async function watchList({ io, client: connect }: Session, flags: LsFlags): Promise<void> {
  const client = connect();
  const rows = new Map<string, AgentRow>();
  const wanted = (row: AgentRow): boolean =>
    flags.all === true || (row.agent?.archivedAt !== undefined) === (flags.archived === true);
  const changes = follow(io, (cursor) =>
    client.watch('agent.v1.AgentService/WatchAgents', cursor === undefined ? {} : { cursor }, io.signal),
  );
  if (formatOf(io, flags) !== 'table') {
    for await (const { agents = [], goneAgentIds = [] } of changes) {
      for (const row of agents.filter((one) => wanted(one) || rows.has(one.agent?.id ?? ''))) {
        rows.set(row.agent?.id ?? '', row);
        writeJsonLine(io, row);
      }
      for (const goneAgentId of goneAgentIds) if (rows.delete(goneAgentId)) writeJsonLine(io, { goneAgentId });
    }
    return;
  }
  const names = await workflowNames(client);
  const screen = screenOf(io, () => agentTable(io, [...rows.values()].filter(wanted), names), redrawEvery);
  try {
    for await (const { agents = [], goneAgentIds = [] } of changes) {
      for (const row of agents) rows.set(row.agent?.id ?? '', row);
      for (const id of goneAgentIds) rows.delete(id);
      screen.draw();
    }
  } finally {
    screen.close();
  }
}

/** Names of workflows by id. A list without them is better than none, so a refusal leaves them out. */
async function workflowNames(client: Client): Promise<Map<string, string>> {
  try {
    const workflows = await everyWorkflow(client);
    return new Map(workflows.map(({ id = '', name = id }) => [id, name]));
  } catch {
    return new Map();
  }
}
