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
import { findProgram } from '#world/program/find-program.mjs';
import type { Terminals } from '#world/terminal/terminal.ts';
import { ownEnvironment } from './own-environment.ts';
import { reportingOf } from './reporting.ts';
import { requireSameDirectory } from './same-directory.ts';
import { toolingOf } from './tooling.ts';

export interface OpenWindowOptions {
  readonly terminals: Terminals;
  readonly harnesses: Harnesses;
  /** The person's environment, of which the pane is given a part. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names of variables that the person has every agent given. */
  readonly variables: readonly string[];
  /** The PATH that CLIs are looked for on, as it is now. */
  readonly programs: () => string;
  /** The folder that holds the worktrees. */
  readonly worktrees: string;
  /** The folder of settings files for CLIs that take muster's tools from one. */
  readonly settings: string;
  /** Where agents reach the service. */
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
  if (there && !there.dead) return { type: 'WINDOW_OPENED', paneId: there.paneId };
  const harness = knownHarness(options.harnesses, record);
  const cwd = await directoryOf(record, options.worktrees);
  const program = programOf(harness, options, cwd);
  const given = agentEnvironment(options.environment, [...options.variables, ...(harness.variables ?? [])]);
  const theirs = (to: Record<string, string>) => withAdditions(to, options.environment, record.launch.environment);
  const environment = theirs(given);
  const tooling = toolingOf(harness, record.launch, environment, options.settings);
  const added = joined(tooling, await reportingOf(harness, program, environment));
  const { argv, sessionId } = commandLine(record, harness, added.args, effect.params['resume'] === true);
  const own = await ownEnvironment(record, options, 'window');
  if (there) await terminal.close(there.paneId);
  const { paneId } = await terminal.open({
    agentId: record.id,
    name: readAgentContext(record.snapshot).name,
    cwd,
    argv: [program, ...argv.slice(1)],
    env: { ...theirs({ ...given, ...added.env, ...harness.env }), PATH: given['PATH'] ?? '', ...own },
  });
  return { type: 'WINDOW_OPENED', paneId, ...(sessionId === undefined ? {} : { sessionId }) };
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

/** The CLI, which is never one that lies in the agent's own directory. */
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

/** The flags of a person come last, so that they overrule what muster adds. */
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
