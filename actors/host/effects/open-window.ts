import type { Performance, Performer } from '#actors/host/agent/performer.ts';
import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import { withTerminal } from '#actors/host/typing/terminal-mutex.ts';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { type AgentEvent, readAgentContext } from '#machines/agent/agent-context.ts';
import { splitFlags } from '#machines/flags.ts';
import { type CommandLine, commandLineOf, type Harness } from '#machines/harness/definition.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { joined } from '#machines/harness/launch-addition.ts';
import { isDirectory } from '#world/file/directory.ts';
import { machineName } from '#world/machine-name.ts';
import { agentEnvironment, programPath, withAdditions } from '#world/process/environment.ts';
import { programVersion } from '#world/process/program-version.ts';
import { findProgram } from '#world/program/find-program.mjs';
import type { Terminals } from '#world/terminal/terminal.ts';
import { ownEnvironment } from './own-environment.ts';
import { reportingOf } from './reporting.ts';
import { requireSameDirectory } from './same-directory.ts';
import { toolingOf } from './tooling.ts';

/** How long an open window waits for its CLI to print its version, in milliseconds. */
const versionWithin = 5_000;

export interface OpenWindowOptions {
  readonly terminals: Terminals;
  readonly harnesses: Harnesses;
  /** The person's environment; the pane gets a part of it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names of variables that the person passes to every agent. */
  readonly variables: readonly string[];
  /** The current PATH on which CLIs are looked up. */
  readonly programs: () => string;
  /** The folder that holds the worktrees. */
  readonly worktrees: string;
  /** The folder of settings files for CLIs that take muster's tools from one. */
  readonly settings: string;
  /** The URL at which agents reach the service. */
  readonly baseUrl: string;
  readonly registry: Pick<RegistryClient, 'token'>;
}

/** Opens the agent's window and starts its CLI in it, or adopts the window that is there. */
export function openWindow(options: OpenWindowOptions): Performer {
  return {
    step: 'opening',
    perform: (performance) => withTerminal(performance.record.family, () => open(options, performance)),
  };
}

async function open(options: OpenWindowOptions, { record, effect }: Performance): Promise<AgentEvent> {
  const terminal = await options.terminals.of(record.family);
  const there = (await terminal.panes()).find(({ agentId }) => agentId === record.id);
  if (there && !there.dead) return adopted(options, record, there.paneId);
  const start = await startOf(options, record);
  const { harness, cwd, program, given, theirs } = start;
  const environment = theirs(given);
  const tooling = toolingOf(harness, record.launch, environment, options.settings);
  const added = joined(tooling, await reportingOf(harness, program, environment));
  const { argv, sessionId } = commandLine(record, harness, added.args, effect.params['resume'] === true);
  const own = await ownEnvironment(record, options, 'window');
  if (there) await terminal.close(there.paneId);
  // Ask for the version while the CLI starts.
  const asking = versionOf(start);
  const { paneId } = await terminal.open({
    agentId: record.id,
    name: readAgentContext(record.snapshot).name,
    cwd,
    argv: [program, ...argv.slice(1)],
    env: { ...theirs({ ...given, ...added.env, ...harness.env }), PATH: given['PATH'] ?? '', ...own },
  });
  const harnessVersion = await asking;
  return {
    type: 'WINDOW_OPENED',
    paneId,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(harnessVersion === undefined ? {} : { harnessVersion }),
  };
}

/** What an agent's CLI is started from. */
interface Start {
  readonly harness: Harness;
  readonly cwd: string;
  /** The CLI's absolute path. */
  readonly program: string;
  /** The part of the person's environment that it gets. */
  readonly given: Readonly<Record<string, string>>;
  /** Adds the variables of its workflow to an environment. */
  readonly theirs: (to: Readonly<Record<string, string>>) => Record<string, string>;
}

async function startOf(options: OpenWindowOptions, record: AgentRecord): Promise<Start> {
  const harness = knownHarness(options.harnesses, record);
  const cwd = await directoryOf(record, options.worktrees);
  const given = agentEnvironment(options.environment, [...options.variables, ...(harness.variables ?? [])]);
  return {
    harness,
    cwd,
    program: programOf(harness, options, cwd),
    given,
    theirs: (to) => withAdditions(to, options.environment, record.launch.environment),
  };
}

/**
 * The window of a launch whose result was not recorded: its CLI has started, so whatever is missing now does not
 * matter.
 */
async function adopted(options: OpenWindowOptions, record: AgentRecord, paneId: string): Promise<AgentEvent> {
  const start = await startOf(options, record).catch(() => undefined);
  const harnessVersion = start && (await versionOf(start));
  return { type: 'WINDOW_OPENED', paneId, ...(harnessVersion === undefined ? {} : { harnessVersion }) };
}

/** The version that the CLI reports; undefined if it reports none in time, or must not be asked. */
async function versionOf({ harness, program, given, theirs }: Start): Promise<string | undefined> {
  const { versionArgs: args, env } = harness;
  if (args === undefined) return undefined;
  const environment = { ...theirs({ ...given, ...env }), PATH: given['PATH'] ?? '' };
  return programVersion({ program, args, environment }, versionWithin);
}

function knownHarness(harnesses: Harnesses, { launch }: AgentRecord): Harness {
  const harness = harnesses.find(launch.harness);
  if (!harness)
    throw new Failure(
      'HARNESS_UNAVAILABLE',
      `this host does not know the harness ${launch.harness}: update muster on it`,
    );
  if (harness.isUnconfirmed) throw unconfirmed(launch.harness);
  return harness;
}

function unconfirmed(name: string): Failure {
  const mend = `check it and run \`muster harness confirm ${name} --host ${machineName()}\`, then retry`;
  return new Failure('LAUNCH_NOT_CONFIRMED', `no person has confirmed what ${name} launches on this host: ${mend}`);
}

/** The CLI's program, never one in the agent's own directory. */
function programOf(
  { command }: Harness,
  { programs, environment }: Pick<OpenWindowOptions, 'programs' | 'environment'>,
  cwd: string,
): string {
  const isHome = `${environment['HOME'] ?? ''}/`.startsWith(`${cwd}/`);
  const path = programs();
  const program = findProgram(command, isHome ? path : programPath(path, [cwd]));
  if (program) return program;
  const planted = findProgram(command, path);
  const why = planted
    ? `is only in the agent's own directory (${planted}), and muster runs no CLI from there: install it elsewhere`
    : 'is not on the PATH of this host: install it';
  throw new Failure('COMMAND_NOT_FOUND', `${command} ${why}, then retry`);
}

/** A person's flags come last, so that they override what muster adds. */
function commandLine(
  { launch, snapshot }: AgentRecord,
  harness: Harness,
  added: readonly string[],
  resume: boolean,
): CommandLine {
  const flags = splitFlags(launch.flags);
  if (!flags) throw new Failure('FLAGS_UNREADABLE', `the flags have a quote that is not closed: ${launch.flags}`);
  const known = readAgentContext(snapshot).session?.id;
  return commandLineOf(harness, [...added, ...flags], { resume, known, fresh: launch.sessionId });
}

async function directoryOf(record: AgentRecord, worktrees: string): Promise<string> {
  const { launch, snapshot } = record;
  const cwd = readAgentContext(snapshot).worktree?.path ?? launch.cwd;
  if (!(await isDirectory(cwd)))
    throw new Failure('DIRECTORY_MISSING', `the directory ${cwd} is gone: create it again, then retry`);
  await requireSameDirectory(record, cwd, worktrees);
  return cwd;
}
