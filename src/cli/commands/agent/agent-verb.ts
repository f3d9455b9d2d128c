import { Option } from 'commander';
import type { Client } from '#cli/client/client.ts';
import type { CliIo } from '#cli/client/io.ts';
import { shellLine } from '#cli/client/run-in-terminal.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { everyAgent, findAgent, foundIn, type ListedAgent, typedName } from '#cli/find/find-agent.ts';
import { stateText } from '#cli/print/agent-state.ts';
import { outcomeOf } from '#cli/print/outcome.ts';
import { formatOf, type OutputFlags, outputOption, writeJson, writeJsonLine } from '#cli/print/output.ts';
import { reportFailure } from '#cli/print/report-failure.ts';
import type { Agent } from '#contract/agent/agent.ts';
import { Failure } from '#contract/failure.ts';
import { printable } from '#contract/printable.ts';

interface VerbFlags extends OutputFlags {
  readonly force?: true;
  readonly abandon?: true;
  readonly all?: true;
  readonly withCurrentWorkflow?: true;
  readonly wait: boolean;
}

/** The answer of a call. `givenUp` is what was given up with an abandoned agent. */
interface VerbAnswer {
  readonly agent?: Agent | undefined;
  readonly givenUp?: readonly string[] | undefined;
}
type Answer = Promise<VerbAnswer>;

interface Verb {
  readonly description: string;
  /** The words for the operation in progress, and for its failure. */
  readonly underWay: string;
  readonly failed: string;
  /** How long it may take, in minutes: more than the limits of its steps together. */
  readonly minutes: number;
  /** Whether it has ended, given the agent now, before the call, and as the call answered it. */
  readonly isOver: (agent: Agent, before: Agent, accepted: Agent) => boolean;
  readonly archivedFirst?: true;
  /** Whether an agent's name must be complete, because the operation cannot be undone. */
  readonly wholeOnly?: true;
  readonly call: (client: Client, agentId: string, flags: VerbFlags) => Answer;
}

const launchIsOver = ({ state }: Agent): boolean => state !== 'AGENT_STATE_SETTING_UP';
/** One that lost its window may wait for its turn. One that waits for a host may wait for days. */
const restoreIsOver = (agent: Agent): boolean => agent.queued === true || (launchIsOver(agent) && !agent.windowLost);
/** A deletion in progress clears `refusedDeletion` of an earlier one. */
const removalIsOver = ({ state, refusedDeletion }: Agent): boolean =>
  state === 'AGENT_STATE_FAILED_TO_CLEANUP' || refusedDeletion !== undefined;
/** While its host is lost, it is unknown whether its window exists, so the wait continues. */
const endingIsOver = (agent: Agent): boolean =>
  removalIsOver(agent) || !agent.archivedAt || (!agent.alive && agent.lastKnownAt === undefined);

/** A retry has ended once the agent's state has changed. A retried deletion continues until the agent is gone. */
function retryIsOver(agent: Agent, before: Agent, accepted: Agent): boolean {
  if (before.state !== 'AGENT_STATE_FAILED_TO_CLEANUP') return agent.queued === true || launchIsOver(agent);
  return accepted.deleting ? removalIsOver(agent) : endingIsOver(agent);
}

const verbs: Readonly<Record<string, Verb>> = {
  archive: {
    description: 'Ends the CLI of agents and hides them and their children. Work, worktree and branch stay.',
    underWay: 'being archived',
    failed: 'could not be archived',
    minutes: 5,
    isOver: endingIsOver,
    call: (client, agentId) => client.call('agent.v1.AgentService/ArchiveAgent', { agentId }),
  },
  restore: {
    description:
      'Restores agents that are archived or whose CLI has ended: opens a new window and resumes the CLI’s own conversation.',
    underWay: 'being restored',
    failed: 'could not be restored',
    minutes: 60,
    isOver: restoreIsOver,
    archivedFirst: true,
    call: (client, agentId, { all }) =>
      client.call('agent.v1.AgentService/RestoreAgent', { agentId, ...(all && { inTurn: true }) }),
  },
  retry: {
    description:
      'Continues a failed launch or clean-up from where it stopped, once you have fixed the cause. An agent keeps the ' +
      'settings that it was launched with, unless you give --with-current-workflow.',
    underWay: 'being retried',
    failed: 'failed again',
    minutes: 60,
    isOver: retryIsOver,
    call: (client, agentId, { withCurrentWorkflow }) =>
      client.call('agent.v1.AgentService/RetryAgent', {
        agentId,
        ...(withCurrentWorkflow && { withCurrentWorkflow }),
      }),
  },
  delete: {
    description:
      'Closes an agent’s window, runs the teardown script, and removes its worktree and branch. If work would be lost, it ' +
      'lists that work and changes nothing: the agent keeps running.',
    underWay: 'being deleted',
    failed: 'is kept',
    minutes: 30,
    isOver: removalIsOver,
    wholeOnly: true,
    call: (client, agentId, { force, abandon }) =>
      client.call('agent.v1.AgentService/DeleteAgent', {
        agentId,
        ...(force && { force }),
        ...(abandon && { abandon }),
      }),
  },
};

/** `muster archive`, `restore`, `retry` and `delete`: the command's own name says which. */
export const define: Define = (command, session) => {
  const verb = verbs[command.name()];
  if (verb === undefined) throw new Error(`${command.name()} is no verb for agents`);
  const named = verb.wholeOnly ? 'a whole name, an id or a mark' : 'a name, an id, a mark, or the beginning of a name';
  command.description(
    `${verb.description}\n\nNAME is ${named}. It waits and prints the result, and exits with 6 if it failed.`,
  );
  if (command.name() === 'delete') {
    command
      .option('--force', 'remove unsaved work too; a last snapshot of it is kept under refs/muster/kept/')
      .addOption(
        new Option('--abandon', 'abandon it with its lost host; nothing there is ended or removed').conflicts('force'),
      );
  }
  if (command.name() === 'restore') {
    command
      .option('--all', 'every agent that lost its window, as after a restart of the computer, a few at a time')
      .option('--passphrase-file <file>', 'the passphrase of an encrypted backup')
      .addHelpText(
        'after',
        '\nmuster restore FILE, with a path in place of names, restores a backup (muster backup).\n',
      );
  }
  if (command.name() === 'retry') {
    command.option(
      '--with-current-workflow',
      'use the workflow’s current scripts, copied files, variables and pre-approved tools, and its flags unless the launch set its own',
    );
  }
  command
    .option('--no-wait', 'do not wait for the result: exit once it is accepted')
    .addOption(outputOption())
    .action((names: string[], flags: VerbFlags) => perform(session, verb, names, flags));
};

async function perform(session: Session, verb: Verb, names: readonly string[], flags: VerbFlags): Promise<void> {
  const { io } = session;
  const client = session.client();
  const found = flags.all ? await everyLost(client, names) : await everyNamed(client, verb, names);
  const format = formatOf(io, flags);
  if (found.length === 0 && format === 'table') io.stdout.write('No agent has lost its window\n');
  const accepted: [ListedAgent, Agent][] = [];
  const givenUp = new Map<string, readonly string[]>();
  for (const agent of found) {
    await orReport(session, flags, async () => {
      const answer = await verb.call(client, agent.id, flags);
      if (answer.givenUp?.length) givenUp.set(agent.id, answer.givenUp);
      accepted.push([agent, answer.agent ?? { id: agent.id, name: agent.name }]);
    });
  }
  const ends: unknown[] = [];
  for (const [agent, answer] of accepted) {
    await orReport(session, flags, async () => {
      const lost = givenUp.get(agent.id);
      if (flags.abandon) {
        if (format === 'table') io.stdout.write(abandonedText(agent.name, lost));
        else if (format === 'jsonl') writeJsonLine(io, { goneAgentId: agent.id, givenUp: lost });
        else ends.push({ goneAgentId: agent.id, givenUp: lost });
        return;
      }
      const end = flags.wait ? await awaitEnd(io, client, verb, { ...agent, accepted: answer }) : answer;
      if (format === 'table')
        io.stdout.write(
          `${flags.wait ? await endText(client, verb, agent, end, flags) : `${printable(agent.name)} is ${verb.underWay}`}\n`,
        );
      else if (format === 'jsonl') writeJsonLine(io, end ?? { goneAgentId: agent.id });
      else ends.push(end ?? { goneAgentId: agent.id });
    });
  }
  if (format === 'json') writeJson(io, ends);
}

/** The losses of an abandoned agent, one per line. */
function abandonedText(name: string, givenUp: readonly string[] = []): string {
  const lines = givenUp.map((one) => `  ${printable(one)}\n`).join('');
  return `${printable(name)} is abandoned${lines && `. Given up with it:\n${lines}`}${lines ? '' : '\n'}`;
}

/** Every agent that lost its window. @throws INVALID_ARGUMENT when agents are named as well */
async function everyLost(client: Client, names: readonly string[]): Promise<ListedAgent[]> {
  if (names.length > 0) throw new Failure('INVALID_USAGE', `--all takes no names (given: ${names.join(' ')})`);
  return foundIn(await everyAgent(client, false)).filter(({ agent }) => agent.windowLost);
}

/** The named agents. @throws Failure when one does not exist, before anything is done to the others */
async function everyNamed(client: Client, verb: Verb, names: readonly string[]): Promise<ListedAgent[]> {
  if (names.length === 0) throw new Failure('INVALID_USAGE', 'name the agents, or give --all');
  const found: ListedAgent[] = [];
  for (const name of names) {
    try {
      found.push(await findAgent(client, name, verb));
    } catch (error) {
      if (!(error instanceof Failure) || names.length === 1) throw error;
      throw error.saying(`${error.message} (nothing was done to the others)`);
    }
  }
  return found;
}

/** The agent after the operation; undefined if it is gone. @throws Failure with the reason when it failed */
async function awaitEnd(
  io: CliIo,
  client: Client,
  verb: Verb,
  { id, name, agent: before, accepted }: ListedAgent & { readonly accepted: Agent },
): Promise<Agent | undefined> {
  const called = printable(name);
  const isOver = (agent: Agent): boolean => verb.isOver(agent, before, accepted);
  const still = `${called} is still ${verb.underWay}`;
  const end = await outcomeOf(io, client, { id, still, minutes: verb.minutes, isOver });
  const failedToStart = end?.state === 'AGENT_STATE_FAILED_TO_CREATE' && end.archivedAt === undefined;
  if ((verb.wholeOnly || accepted.deleting) && end?.refusedDeletion !== undefined)
    throw new Failure('WORK_WOULD_BE_LOST', `${called} ${verb.failed}: ${end.refusedDeletion}`);
  if (end?.state !== 'AGENT_STATE_FAILED_TO_CLEANUP' && !failedToStart) return end;
  const { stateReason: reason = 'no reason was given' } = end;
  const back =
    verb.failed === 'is kept' && end.alive
      ? `; muster restore ${typedName(end)} resumes it, but without muster’s tools: its token is revoked`
      : '';
  throw new Failure('CHANGE_FAILED', `${called} ${verb.failed}: ${reason.trimEnd()}${back}`);
}

async function endText(
  client: Client,
  verb: Verb,
  { id, name }: ListedAgent,
  end: Agent | undefined,
  { force }: VerbFlags,
): Promise<string> {
  const called = printable(name);
  if (end === undefined) return `${called} is deleted${force ? await keptText(client, id) : ''}`;
  if (end.archivedAt) return `${called} is archived: muster restore ${typedName(end)} brings it back`;
  if (end.queued) return `${called} ${printable(end.stateReason ?? 'waits for a host')}`;
  const state = printable(stateText({ agent: end }));
  if (!end.alive) return `${called} has ended: ${state}`;
  const left = verb.archivedFirst ? await childrenLeft(client, id) : '';
  // Its new window has not been read yet.
  return `${called} is running again${end.state === 'AGENT_STATE_UNCERTAIN' ? '' : `: ${state}`}${left}`;
}

/** Where a forced deletion keeps the agent's unsaved work. */
async function keptText(client: Client, subjectId: string): Promise<string> {
  const { facts = [] } = await client.call('fact.v1.FactService/ListFacts', { subjectId, pageSize: 5 });
  const gone = facts.find(({ kind }) => kind === 'agent.gone');
  const { kept, repository } = JSON.parse(gone?.detail ?? '{}') as { kept?: string; repository?: string };
  if (kept === undefined || repository === undefined) return '';
  const command = shellLine(['git', `--git-dir=${repository}`, 'branch', 'rescued', kept]);
  return `\nIts unsaved work is kept: ${printable(command)} makes a branch from it`;
}

/** The children that were archived with an agent, and are still archived. */
async function childrenLeft(client: Client, id: string): Promise<string> {
  const archived = await everyAgent(client, true);
  const children = archived.flatMap(({ agent = {} }) => (agent.parentAgentId === id ? [typedName(agent)] : []));
  return children.length === 0
    ? ''
    : `\nIts children stay archived: muster restore ${children.join(' ')} brings them back`;
}

/** Runs one of several actions. Its failure is reported, and does not stop the others. */
async function orReport(session: Session, flags: OutputFlags, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const asJson = flags.output === 'json' || flags.output === 'jsonl';
    session.exitWith(reportFailure(session.io, error, asJson ? 'json' : 'words'));
  }
}
