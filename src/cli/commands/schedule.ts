import type { Command } from 'commander';
import type { Client } from '#cli/client/client.ts';
import type { CliIo } from '#cli/client/io.ts';
import { everyPage } from '#cli/client/pages.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { everySchedule, findSchedule } from '#cli/find/find-schedule.ts';
import { findWorkflow } from '#cli/find/find-workflow.ts';
import { formatOf, type OutputFlags, outputOption, writeList, writeRecord } from '#cli/print/output.ts';
import { runTable, schedulePage, scheduleTable } from '#cli/print/schedule-page.ts';
import { agentNames } from '#cli/print/subject-name.ts';
import { textSource } from '#cli/print/text-source.ts';
import { textTable } from '#cli/print/text-table.ts';
import { atLeastOne } from '#cli/print/whole-number.ts';
import type { Field } from '#cli/rpc/field.ts';
import { addFieldFlags, givenFlags } from '#cli/rpc/flags.ts';
import { listedOperation } from '#cli/rpc/listed-operation.ts';
import { requestOf } from '#cli/rpc/request.ts';
import { Failure } from '#contract/failure.ts';
import { printable } from '#contract/printable.ts';
import type { Schedule, ScheduleRun } from '#contract/schedule.ts';

const service = 'schedule.v1.ScheduleService';

interface NextFlags extends OutputFlags {
  readonly tz?: string;
  readonly count: number;
}

interface WorkflowFlags extends OutputFlags {
  readonly workflow?: string;
}

/** `muster schedule` */
export const define: Define = (command, session) => {
  command.helpCommand(false).description('A schedule launches an agent at each time of its cron expression.');
  defineNext(command.command('next <cron>').summary('show when a cron expression fires next'), session);
  defineLs(
    command
      .command('ls')
      .summary('list schedules')
      .description('Lists schedules, with their next time and last result.'),
    session,
  );
  defineShow(
    command
      .command('show <name>')
      .summary('show everything about a schedule')
      .description('Shows all of a schedule’s settings, its next time and its last firings.'),
    session,
  );
  defineRuns(
    command
      .command('runs <name>')
      .summary('list its firings and their results')
      .description('Lists the firings of a schedule, the newest first, with their results.'),
    session,
  );
  defineCreate(command.command('create <name> <cron> <prompt>').summary('create a schedule'), session);
  defineEdit(command.command('edit <name>').summary('change a schedule'), session);
  defineVerb(
    command
      .command('pause <name>')
      .summary('stop a schedule from firing')
      .description('Pauses a schedule: it does not fire until muster schedule resume.'),
    session,
    'PauseSchedule',
    'paused',
  );
  defineVerb(
    command
      .command('resume <name>')
      .summary('resume a paused schedule')
      .description('Resumes a paused schedule: it fires again at its next time.'),
    session,
    'ResumeSchedule',
    'armed',
  );
  defineVerb(
    command
      .command('delete <name>')
      .summary('delete a schedule')
      .description('Deletes a schedule. Agents that it launched stay.'),
    session,
    'DeleteSchedule',
    'deleted',
  );
  defineFire(
    command
      .command('fire <name>')
      .summary('fire a schedule now')
      .description('Fires a schedule now, in addition to its times.'),
    session,
  );
  defineRunVerb(command.command('cancel <run>').summary('cancel a firing'), session, 'CancelScheduleRun');
  defineRunVerb(command.command('retry <run>').summary('retry a failed firing now'), session, 'RetryScheduleRun');
};

function defineNext(command: Command, { io, local }: Session): void {
  command
    .description(
      'Shows the times at which a cron expression fires next. It has five fields in one argument: minute, hour, day of month, ' +
        'month, day of week; with *, lists, ranges, steps, names, L and #. A fixed time fires once on each local day that it ' +
        'names, even if a clock change skips or repeats it; a time with * or steps fires at each minute that actually occurs.',
    )
    .option('--tz <zone>', 'its time zone, such as Europe/Paris; by default this computer’s')
    .option('-n, --count <number>', 'how many times to show', atLeastOne, 5)
    .addOption(outputOption())
    .action(async (cron: string, { tz = '', count, ...flags }: NextFlags) => {
      const times = (await local()).firingTimes(cron, tz, io.now(), count);
      writeList(io, flags, times, () =>
        textTable(
          [{ title: 'LOCAL TIME' }, { title: 'UTC' }],
          times.map(({ local: there, at }) => [{ text: there }, { text: at }]),
        ),
      );
    });
}

function defineLs(command: Command, { io, client }: Session): void {
  command.addOption(outputOption()).action(async (flags: OutputFlags) => {
    const schedules = await everySchedule(client());
    writeList(io, flags, schedules, () => scheduleTable(io, schedules));
  });
}

function defineShow(command: Command, { io, client: connect }: Session): void {
  command.addOption(outputOption()).action(async (nameOrId: string, flags: OutputFlags) => {
    const client = connect();
    const { id: scheduleId } = await findSchedule(client, nameOrId);
    const { schedule = {} } = await client.call(`${service}/GetSchedule`, { scheduleId });
    const { workflow } = await client
      .call('workflow.v1.WorkflowService/GetWorkflow', { workflowId: schedule.workflowId ?? '' })
      .catch(() => ({ workflow: undefined }));
    writeRecord(io, flags, schedule, () => schedulePage(io, schedule, workflow?.name ?? schedule.workflowId ?? ''));
  });
}

function defineRuns(command: Command, { io, client: connect }: Session): void {
  command.addOption(outputOption()).action(async (nameOrId: string, flags: OutputFlags) => {
    const client = connect();
    const { id: scheduleId } = await findSchedule(client, nameOrId);
    const runs = await everyPage(
      (pagination) => client.call(`${service}/ListScheduleRuns`, { scheduleId, pagination }),
      (page) => page.runs,
    );
    const names = await namesFor(io, flags, client, runs);
    writeList(io, flags, runs, () => runTable(io, runs, names));
  });
}

/** The fields of a request that are flags. The others are arguments, or may be given by name. */
function flagFields(fields: readonly Field[], others: readonly string[]): Field[] {
  return fields
    .filter(({ path }) => !others.includes(path[0] ?? '') && path[0] !== 'workflowId')
    .map((field) => ({ ...field, required: false }));
}

async function namedWorkflow(client: Client, { workflow }: WorkflowFlags): Promise<{ workflowId?: string }> {
  return workflow === undefined ? {} : { workflowId: (await findWorkflow(client, workflow)).id };
}

function defineCreate(command: Command, { io, client: connect }: Session): void {
  const operation = listedOperation(`${service}/CreateSchedule`);
  const fields = flagFields(operation.fields, ['name', 'cron', 'prompt']);
  addFieldFlags(command, fields);
  command
    .description(`${operation.summary} PROMPT may be - for standard input, or @file.`)
    .option('--workflow <workflow>', 'the workflow for its agents, by name or id', 'default')
    .addOption(outputOption())
    .action(async (name: string, cron: string, prompt: string, flags: WorkflowFlags) => {
      const client = connect();
      const source = textSource(io);
      const base = { name, cron, prompt: await source.read('PROMPT', prompt), ...(await namedWorkflow(client, flags)) };
      const given = givenFlags(command, fields);
      const request = await requestOf(operation, { given, base, source, command: 'muster schedule create' });
      const { schedule } = await client.call(`${service}/CreateSchedule`, request);
      writeRecord(io, flags, schedule, () => resultLine('created', schedule));
    });
}

function defineEdit(command: Command, { io, client: connect }: Session): void {
  const operation = listedOperation(`${service}/UpdateSchedule`);
  const fields = flagFields(operation.fields, ['scheduleId']);
  addFieldFlags(command, fields);
  command
    .description('Changes the given fields of a schedule; --clear resets one to its default.')
    .option('--workflow <workflow>', 'the workflow for its agents, by name or id')
    .addOption(outputOption())
    .action(async (nameOrId: string, flags: WorkflowFlags) => {
      const client = connect();
      const given = givenFlags(command, fields);
      const named = await namedWorkflow(client, flags);
      if (given.length === 0 && named.workflowId === undefined) {
        throw new Failure('INVALID_USAGE', 'nothing to change: name at least one field');
      }
      const { id: scheduleId } = await findSchedule(client, nameOrId);
      const base = { scheduleId, ...named };
      const request = await requestOf(operation, {
        given,
        base,
        source: textSource(io),
        command: 'muster schedule edit',
      });
      const { schedule } = await client.call(`${service}/UpdateSchedule`, request);
      writeRecord(io, flags, schedule, () => resultLine('changed', schedule));
    });
}

function defineVerb(
  command: Command,
  { io, client: connect }: Session,
  method: 'PauseSchedule' | 'ResumeSchedule' | 'DeleteSchedule',
  done: string,
): void {
  command.action(async (nameOrId: string) => {
    const client = connect();
    const schedule = await findSchedule(client, nameOrId);
    await client.call(`${service}/${method}`, { scheduleId: schedule.id });
    io.stderr.write(resultLine(done, schedule));
  });
}

function defineFire(command: Command, { io, client: connect }: Session): void {
  command.addOption(outputOption()).action(async (nameOrId: string, flags: OutputFlags) => {
    const client = connect();
    const { id: scheduleId, name = '' } = await findSchedule(client, nameOrId);
    const { run } = await client.call(`${service}/FireSchedule`, { scheduleId });
    writeRecord(io, flags, run, () => `fired as run ${run?.id}: muster schedule runs ${printable(name)}\n`);
  });
}

function defineRunVerb(
  command: Command,
  { io, client: connect }: Session,
  method: 'CancelScheduleRun' | 'RetryScheduleRun',
): void {
  command
    .description(`${listedOperation(`${service}/${method}`).summary} RUN is its number in muster schedule runs.`)
    .addOption(outputOption())
    .action(async (runId: string, flags: OutputFlags) => {
      const client = connect();
      const { run = {} } = await client.call(`${service}/${method}`, { runId });
      const names = await namesFor(io, flags, client, [run]);
      writeRecord(io, flags, run, () => runTable(io, [run], names));
    });
}

/** The names of the launched agents, for a table. */
async function namesFor(io: CliIo, flags: OutputFlags, client: Client, runs: readonly ScheduleRun[]) {
  return formatOf(io, flags) === 'table' ? agentNames(client, runs) : new Map<string, string>();
}

function resultLine(done: string, { name = '', id = '' }: Schedule = {}): string {
  return `${done} ${printable(name)}  ${id}\n`;
}
