import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import { type Harness, withoutLacking } from '#machines/harness/definition.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { computerName } from '#world/computer-name.ts';
import { isDirectory } from '#world/file/directory.ts';
import { agentEnvironment, programPath, withAdditions } from '#world/process/environment.ts';
import { type ProgramCommand, programAnswer } from '#world/process/program-answer.ts';
import { programVersion } from '#world/process/program-version.ts';
import { findProgram } from '#world/program/find-program.mjs';
import { requireSameDirectory } from './same-directory.ts';

/** How long a launch waits for the help of a CLI, in milliseconds. */
const helpWithinMs = 5_000;

/** The host's settings for starting CLIs. */
export interface CliStartOptions {
  readonly harnesses: Harnesses;
  /** The person's environment; the pane gets a part of it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names of variables that the person passes to every agent. */
  readonly variables: readonly string[];
  /** The current PATH on which CLIs are looked up. */
  readonly programs: () => string;
  /** The folder that holds the worktrees. */
  readonly worktrees: string;
}

/** How an agent's CLI is started. */
export interface CliStart {
  readonly harness: Harness;
  readonly cwd: string;
  /** The CLI's absolute path. */
  readonly program: string;
  /** The part of the person's environment that it gets. */
  readonly given: Readonly<Record<string, string>>;
  /** Adds the variables of its workflow to an environment. */
  readonly withWorkflowVariables: (to: Readonly<Record<string, string>>) => Record<string, string>;
}

/**
 * Finds out how to start an agent's CLI now.
 * @throws Failure when a part of it is missing or not confirmed
 */
export async function cliStartOf(options: CliStartOptions, record: AgentRecord): Promise<CliStart> {
  const harness = knownHarness(options.harnesses, record);
  const cwd = await directoryOf(record, options.worktrees);
  const given = agentEnvironment(options.environment, [...options.variables, ...(harness.variables ?? [])]);
  return {
    harness,
    cwd,
    program: programOf(harness, options, cwd),
    given,
    withWorkflowVariables: (to) => withAdditions(to, options.environment, record.launch.environment),
  };
}

/**
 * The version that the CLI reports; undefined if it reports none within the time limit, or must not be run. It
 * is run once for each version of its program file.
 */
export async function versionOf(start: CliStart, withinMs: number): Promise<string | undefined> {
  const { versionArgs: args } = start.harness;
  return args === undefined ? undefined : programVersion(asked(start, args), withinMs);
}

/**
 * The agent's harness without the options that the installed version of its CLI lacks, which would make it refuse to
 * start. All remain if the CLI does not print its help in time.
 */
export async function fittingHarness(start: CliStart): Promise<Harness> {
  const { harness } = start;
  if (harness.mayLack === undefined) return harness;
  const help = await programAnswer(
    asked(start, ['--help']),
    ({ stdout, stderr }) => stdout + stderr || undefined,
    helpWithinMs,
  );
  return help === undefined ? harness : withoutLacking(harness, help);
}

function asked({ harness, program, given, withWorkflowVariables }: CliStart, args: readonly string[]): ProgramCommand {
  const environment = { ...withWorkflowVariables({ ...given, ...harness.env }), PATH: given['PATH'] ?? '' };
  return { program, args, environment };
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
  const mend = `check it and run \`muster harness confirm ${name} --host ${computerName()}\`, then retry`;
  return new Failure('LAUNCH_NOT_CONFIRMED', `no person has confirmed what ${name} launches on this host: ${mend}`);
}

/** The CLI's program, never one in the agent's own directory. */
function programOf(
  { command }: Harness,
  { programs, environment }: Pick<CliStartOptions, 'programs' | 'environment'>,
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

async function directoryOf(record: AgentRecord, worktrees: string): Promise<string> {
  const { launch, snapshot } = record;
  const cwd = readAgentContext(snapshot).worktree?.path ?? launch.cwd;
  if (!(await isDirectory(cwd)))
    throw new Failure('DIRECTORY_MISSING', `the directory ${cwd} is gone: create it again, then retry`);
  await requireSameDirectory(record, cwd, worktrees);
  return cwd;
}
