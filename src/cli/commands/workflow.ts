import { resolve } from 'node:path';
import type { Command } from 'commander';
import { harnessNames } from '#cli/client/built-in.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { everyProfile, withProfileId } from '#cli/find/find-profile.ts';
import { everyWorkflow, findWorkflow } from '#cli/find/find-workflow.ts';
import { details, section } from '#cli/print/details.ts';
import { defaultIsolationText, isolationDetails } from '#cli/print/isolation-details.ts';
import { notifyDetails } from '#cli/print/notify-details.ts';
import { type OutputFlags, outputOption, writeList, writeRecord } from '#cli/print/output.ts';
import { textSource } from '#cli/print/text-source.ts';
import { textTable } from '#cli/print/text-table.ts';
import { shortName } from '#cli/print/words.ts';
import { flagNames } from '#cli/print/workflow-field.ts';
import type { Field } from '#cli/rpc/field.ts';
import { addFieldFlags, givenFlags, kebab, type ParsedFlag } from '#cli/rpc/flags.ts';
import { type ListedOperation, listedOperation } from '#cli/rpc/listed-operation.ts';
import { requestOf } from '#cli/rpc/request.ts';
import { Failure } from '#contract/failure.ts';
import { printable } from '#contract/printable.ts';
import type { Workflow } from '#contract/workflow.ts';
import { defineAllow } from './workflow/allow.ts';
import { withEmptied } from './workflow/emptied-fields.ts';
import { defineTry } from './workflow/try.ts';

const service = 'workflow.v1.WorkflowService';

/** `muster workflow` */
export const define: Define = (command, session) => {
  command
    .helpCommand(false)
    .description(
      'A workflow defines how agents are launched: where they run, with which CLI, and how their briefing begins.',
    );
  defineLs(
    command.command('ls').summary('list workflows').description('Lists workflows, with their directory and harness.'),
    session,
  );
  defineShow(
    command
      .command('show <name>')
      .summary('show everything about a workflow')
      .description('Shows all of a workflow’s settings.'),
    session,
  );
  defineCreate(command.command('create <name>').summary('create a workflow'), session);
  defineEdit(command.command('edit <name>').summary('change a workflow'), session);
  defineTry(command.command('try <name>').summary('try a workflow’s setup script, without an agent'), session);
  defineAllow(command.command('allow <name> <hosts...>').summary('let its isolated agents connect to hosts'), session);
  defineConfirm(
    command.command('confirm <name> [remote]').summary('allow reading a repository’s pull requests for its agents'),
    session,
  );
  defineWithdraw(
    command
      .command('withdraw <name> <remote>')
      .summary('stop reading a repository’s pull requests')
      .description('Stops reading the pull requests of a repository for the workflow’s agents.'),
    session,
  );
  defineDelete(
    command
      .command('delete <name>')
      .summary('delete a workflow without agents')
      .description('Deletes a workflow that has no agents, not even archived ones.'),
    session,
  );
};

function defineLs(command: Command, { io, client }: Session): void {
  command.addOption(outputOption()).action(async (flags: OutputFlags) => {
    const workflows = await everyWorkflow(client());
    const cells = ({ name = '', harness = '', cwd = '', id = '' }: Workflow) =>
      [name, harness, cwd, id].map((text) => ({ text: printable(text) }));
    const titles = [{ title: 'NAME', min: 12 }, { title: 'HARNESS' }, { title: 'DIRECTORY', min: 16 }, { title: 'ID' }];
    writeList(io, flags, workflows, () => textTable(titles, workflows.map(cells), io.stdout.columns));
  });
}

function defineShow(command: Command, { io, client }: Session): void {
  command.addOption(outputOption()).action(async (name: string, flags: OutputFlags) => {
    const connected = client();
    const workflow = await findWorkflow(connected, name);
    const profiles = workflow.profileId ? await everyProfile(connected) : [];
    const profile = profiles.find(({ id }) => id === workflow.profileId)?.name;
    writeRecord(io, flags, workflow, () => workflowPage(io, workflow, profile));
  });
}

/** The fields of a request under their names on the command line, except for the one that is an argument. */
function flagFields({ fields }: ListedOperation, argument: string): Field[] {
  return fields
    .filter(({ path }) => path[0] !== argument)
    .map((field) => {
      const path = field.path.join('.');
      const flagName = flagNames[path];
      const built = path === 'harness' ? ` Built in: ${harnessNames.join(', ')}.` : '';
      return {
        ...field,
        type: typeOf(field),
        required: false,
        ...(flagName && { shortName: flagName }),
        meaning: `${field.meaning}${built}`,
      };
    });
}

/** For `clear`, the choices are the names of flags. */
function typeOf({ type, path }: Field): Field['type'] {
  if (type.kind !== 'enum' || path[0] !== 'clear') return type;
  return { ...type, choices: type.choices.map(({ value }) => ({ value, short: flagNames[value] ?? kebab(value) })) };
}

/** Refuses a count of 0, which the service would treat as unset. @throws INVALID_USAGE naming its flag */
function requireCounts(given: readonly ParsedFlag[]): void {
  for (const { field, flag, texts } of given) {
    const text = texts.find((one) => field.type.kind === 'int32' && /^[-+]?0+$|^-\d/.test(one));
    const empty = `--clear ${kebab(field.path[0] ?? '')} removes it`;
    if (text !== undefined) throw new Failure('INVALID_USAGE', `${flag} is ${text}: give at least 1 (${empty})`);
  }
}

function defineCreate(command: Command, { io, client }: Session): void {
  const operation = listedOperation(`${service}/CreateWorkflow`);
  const fields = flagFields(operation, 'name');
  addFieldFlags(command, fields);
  command
    .description(`${operation.summary} Unless --cwd names another directory, they run in this one.`)
    .addOption(outputOption())
    .action(async (name: string, flags: OutputFlags) => {
      const given = givenFlags(command, fields);
      requireCounts(given);
      const request = await requestOf(operation, {
        given,
        base: { name, cwd: io.cwd },
        source: textSource(io),
        command: 'muster workflow create',
      });
      const connected = client();
      const complete = await withProfileId(connected, request);
      const answer = await connected.call(`${service}/CreateWorkflow`, {
        ...complete,
        cwd: absolute(io, complete.cwd),
      });
      writeRecord(io, flags, answer.workflow, () => resultLine('created', answer.workflow));
      const isolated = complete.isolation === undefined ? defaultIsolationText(answer) : undefined;
      if (isolated !== undefined) io.stderr.write(`${isolated}\n`);
    });
}

const onlyNewOnes =
  'Changes apply to agents that are launched from now on; what is deleted of archived agents changes at once. Existing agents keep the settings of their launch, also when they ' +
  'are restored. For a failed launch or clean-up, muster retry NAME --with-current-workflow applies them';

/** Fields that apply at once. */
const atOnce: ReadonlySet<string> = new Set(['name', 'archivePolicy']);

function defineEdit(command: Command, { io, client: connect }: Session): void {
  const operation = listedOperation(`${service}/UpdateWorkflow`);
  const fields = flagFields(operation, 'workflowId');
  addFieldFlags(command, fields);
  command
    .description(`Changes the given fields of a workflow; --clear or an empty value empties one.\n\n${onlyNewOnes}`)
    .addOption(outputOption())
    .action(async (nameOrId: string, flags: OutputFlags) => {
      const client = connect();
      const given = givenFlags(command, fields);
      requireCounts(given);
      if (given.length === 0) throw new Failure('INVALID_USAGE', 'nothing to change: name at least one field');
      const before = await findWorkflow(client, nameOrId);
      const request = await requestOf(operation, {
        given,
        base: { workflowId: before.id },
        source: textSource(io),
        command: 'muster workflow edit',
      });
      const { cwd } = request;
      const answer = await client.call(`${service}/UpdateWorkflow`, {
        ...withEmptied(await withProfileId(client, request), before),
        ...(cwd && { cwd: absolute(io, cwd) }),
      });
      writeRecord(io, flags, answer.workflow, () => resultLine('changed', answer.workflow));
      if (given.some(({ field }) => !atOnce.has(field.path[0] ?? ''))) io.stderr.write(`${onlyNewOnes}\n`);
    });
}

function defineConfirm(command: Command, { io, client: connect }: Session): void {
  command
    .description(
      'Lets muster read a repository’s pull requests for the agents of a workflow. The remotes that its directory had ' +
        'when it was created need no confirmation; any other may be an agent’s choice. Without REMOTE, lists the ' +
        'repositories that its agents push to and that are not confirmed.',
    )
    .addOption(outputOption())
    .action(async (name: string, remoteUrl: string | undefined, flags: OutputFlags) => {
      const client = connect();
      const workflow = await findWorkflow(client, name);
      if (remoteUrl === undefined) {
        const { unconfirmedRepositories: urls = [] } = workflow;
        writeList(
          io,
          flags,
          urls,
          () => urls.map((url) => `${printable(url)}\n`).join('') || 'no repository needs confirmation\n',
        );
        return;
      }
      const answer = await client.call(`${service}/ConfirmRepository`, { workflowId: workflow.id, remoteUrl });
      writeRecord(io, flags, answer.workflow, () => repositoriesText(answer.workflow));
    });
}

function defineWithdraw(command: Command, { io, client: connect }: Session): void {
  command.addOption(outputOption()).action(async (name: string, remoteUrl: string, flags: OutputFlags) => {
    const client = connect();
    const { id: workflowId } = await findWorkflow(client, name);
    const answer = await client.call(`${service}/WithdrawRepository`, { workflowId, remoteUrl });
    writeRecord(io, flags, answer.workflow, () => repositoriesText(answer.workflow));
  });
}

function repositoriesText({ name = '', repositories = [] }: Workflow = {}): string {
  return `${printable(name)} reads pull requests of ${repositories.map(printable).join(', ') || 'no repository'}\n`;
}

function defineDelete(command: Command, { io, client: connect }: Session): void {
  command.addOption(outputOption()).action(async (name: string, flags: OutputFlags) => {
    const client = connect();
    const workflow = await findWorkflow(client, name);
    await client.call(`${service}/DeleteWorkflow`, { workflowId: workflow.id });
    writeRecord(io, flags, workflow, () => resultLine('deleted', workflow));
  });
}

function absolute({ cwd }: CliIo, path: string): string {
  return path.startsWith('~') ? path : resolve(cwd, path);
}

function resultLine(done: string, { name = '', id = '' }: Workflow = {}): string {
  return `${done} ${printable(name)}  ${id}\n`;
}

/** The launch grants of its agents, and the tools that they call without approval. */
function launchDetails({
  agentsMayLaunch = {},
  preApprovedTools = [],
  hostSelector = [],
  isolation,
  grants,
}: Workflow): Record<string, string> {
  const { harnesses = [], hosts = [], flags = [], directories = [], workflowIds = [] } = agentsMayLaunch;
  return {
    'agents may launch': harnesses.join(', '),
    'on hosts': hosts.join(', '),
    'with flags': flags.map((one) => one || '(none)').join(' | '),
    'in directories': directories.join(', '),
    'into workflows': workflowIds.join(', '),
    'tools without approval': preApprovedTools.join(', '),
    'host labels': hostSelector.join(' '),
    ...isolationDetails(isolation, grants),
  };
}

/** What is deleted of its archived agents, and after how many days. */
function archiveText({ archivePolicy = {} }: Workflow): string {
  const { buildFoldersAfterDays, worktreesAfterDays } = archivePolicy;
  return [
    ...(buildFoldersAfterDays ? [`build folders after ${buildFoldersAfterDays} days`] : []),
    ...(worktreesAfterDays ? [`saved worktrees after ${worktreesAfterDays} days`] : []),
  ].join(', ');
}

function workflowPage(io: CliIo, workflow: Workflow, profile: string | undefined): string {
  const { provisionEnabled, scripts = {}, context } = workflow;
  const page = details(io, {
    name: workflow.name,
    id: workflow.id,
    directory: workflow.cwd,
    harness: [workflow.harness, workflow.flags].filter(Boolean).join(' '),
    role: workflow.role && shortName(workflow.role),
    worktree:
      provisionEnabled === undefined ? 'if the directory is in a git repository' : provisionEnabled ? 'yes' : 'no',
    'base branch': workflow.baseBranch,
    host: workflow.host,
    'copied files': workflow.copyFiles?.join(', '),
    variables: workflow.environment?.join(', '),
    'build folders': workflow.archivePolicy?.buildFolders?.join(', '),
    'deleted from the archive': archiveText(workflow),
    profile,
    setup: scripts.setup,
    teardown: scripts.teardown,
    'on idle': scripts.onIdle,
    'on waiting': scripts.onWaiting,
    repositories: workflow.repositories?.join(', '),
    unconfirmed: workflow.unconfirmedRepositories?.length
      ? `${workflow.unconfirmedRepositories.join(', ')} (muster workflow confirm)`
      : undefined,
    'mails on pull requests': workflow.mailOnPullRequest?.map(shortName).join(', '),
    ...launchDetails(workflow),
    ...notifyDetails(workflow.notify),
    created: workflow.createdAt,
    updated: workflow.updatedAt,
  });
  return [page, section(io, 'context, which precedes every prompt', context ?? '')].filter(Boolean).join('\n');
}
