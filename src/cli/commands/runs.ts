import type { Command } from 'commander';
import type { CliIo } from '#cli/client/io.ts';
import { everyPage } from '#cli/client/pages.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { findAgent } from '#cli/find/find-agent.ts';
import { paintFor } from '#cli/print/color.ts';
import { details, section } from '#cli/print/details.ts';
import { ago } from '#cli/print/duration.ts';
import { formatOf, type OutputFlags, outputOption, writeList, writeRecord } from '#cli/print/output.ts';
import { agentNames, subjectNames } from '#cli/print/subject-name.ts';
import { textTable } from '#cli/print/text-table.ts';
import { shortName } from '#cli/print/words.ts';
import { Failure } from '#contract/failure.ts';
import { printable } from '#contract/printable.ts';
import type { RunLog } from '#contract/run-log.ts';

interface RunsFlags extends OutputFlags {
  readonly failed?: true;
}

interface RunFlags extends OutputFlags {
  readonly ack?: true;
}

const columns = ['ID', 'AGENT', 'SCRIPT', 'STATE', 'STARTED', 'REASON'].map((title) => ({ title }));

const commands: Readonly<Record<string, (command: Command, session: Session) => void>> = {
  runs: (command, session) =>
    command
      .description(
        'Lists the runs of workflows’ scripts (setup, teardown, on idle, on waiting), newest first: all, or those for the ' +
          'agent NAME.',
      )
      .option('--failed', 'only unacknowledged failures')
      .addOption(outputOption())
      .action((name: string | undefined, flags: RunsFlags) => list(session, name, flags)),
  run: (command, session) =>
    command
      .description('Prints the output of a script’s run. ID is the number that muster runs lists.')
      .option('--ack', 'acknowledge a failure, so that its agent no longer shows it')
      .addOption(outputOption())
      .action((runNumber: string, flags: RunFlags) => show(session, runNumber, flags)),
};

/** `muster runs` and `run`: the command's own name says which. */
export const define: Define = (command, session) => {
  commands[command.name()]?.(command, session);
};

async function list({ io, client: connect }: Session, name: string | undefined, flags: RunsFlags): Promise<void> {
  const client = connect();
  const agentId = name === undefined ? undefined : (await findAgent(client, name)).id;
  const runs = await everyPage(
    (pagination) =>
      client.call('host.v1.HostService/ListRunLogs', {
        ...(agentId !== undefined && { agentId }),
        ...(flags.failed && { failed: true }),
        pagination,
      }),
    (page) => page.runs,
  );
  const names = formatOf(io, flags) === 'table' ? await agentNames(client, runs) : new Map<string, string>();
  writeList(io, flags, runs, () => table(io, runs, names));
}

function table(io: CliIo, runs: readonly RunLog[], names: ReadonlyMap<string, string>): string {
  if (runs.length === 0) return 'No script has run: workflows have scripts for their agents (muster workflow edit)\n';
  const paint = paintFor(io);
  const cells = runs.map((run) => {
    const { id = 0, agentId = '', script = '', state = '', startedAt, acknowledgedAt } = run;
    const isFailed = state === 'RUN_STATE_FAILED' && acknowledgedAt === undefined;
    return [
      { text: String(id) },
      { text: printable(names.get(agentId) ?? agentId) },
      { text: shortName(script) },
      { text: shortName(state), paint: (text: string) => (isFailed ? paint('red', text) : text) },
      { text: ago(startedAt, io.now()) },
      { text: printable(whyEnded(run)) },
    ];
  });
  return textTable(columns, cells, io.stdout.columns);
}

/** How a run failed, and the line of its output that best explains it. */
function whyEnded({ reason = '', errorLine = '' }: RunLog): string {
  return [reason, errorLine].filter(Boolean).join(': ');
}

async function show({ io, client: connect }: Session, runNumber: string, flags: RunFlags): Promise<void> {
  if (!/^[1-9][0-9]{0,8}$/.test(runNumber)) {
    throw new Failure(
      'INVALID_USAGE',
      `${JSON.stringify(runNumber)} is not the number of a script’s run: muster runs lists them, muster new launches an agent`,
    );
  }
  const id = Number(runNumber);
  const client = connect();
  if (flags.ack) await client.call('host.v1.HostService/AcknowledgeRun', { id });
  const { run = {} } = await client.call('host.v1.HostService/GetRunLog', { id });
  const nameOf = subjectNames(client);
  const name = formatOf(io, flags) === 'table' ? await nameOf(run.agentId ?? '') : '';
  writeRecord(io, flags, run, () => runPage(io, run, name));
}

function runPage(io: CliIo, run: RunLog, name: string): string {
  const { script = '', state = '', output = '' } = run;
  const page = details(io, {
    agent: name,
    script: shortName(script),
    state: [shortName(state), whyEnded(run)].filter(Boolean).join(': '),
    started: run.startedAt,
    ended: run.endedAt,
    acknowledged: run.acknowledgedAt,
  });
  return [page, section(io, run.outputTruncated ? 'output (its end)' : 'output', output)].filter(Boolean).join('\n');
}
