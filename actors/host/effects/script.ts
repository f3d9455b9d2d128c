import type { Isolation } from '#actors/host/isolation/isolation.ts';
import { type IsolatedSubject, subjectOf } from '#actors/host/isolation/sandbox-spec.ts';
import type { Redactor } from '#actors/host/secret/redactor.ts';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord, Launch } from '#contract/wire/agent-record.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import type { PortBlocks } from '#world/net/port-blocks.ts';
import { agentEnvironment, withAdditions } from '#world/process/environment.ts';
import { runScript, type ScriptEnd, type ScriptRun } from '#world/process/script.ts';

/** The dependencies of running a workflow's scripts. */
export interface ScriptHome {
  /** The person's environment. A script gets the same part of it as its agent. */
  readonly environment: Readonly<Record<string, string>>;
  readonly variables: readonly string[];
  readonly harnesses: Pick<Harnesses, 'find'>;
  readonly isolation: Pick<Isolation, 'around' | 'exceeded'>;
  readonly redactor: Pick<Redactor, 'stream'>;
  /** The ports of worktrees. */
  readonly ports: Pick<PortBlocks, 'variables'>;
}

/** The owner of a script run: an agent, or the trial of a workflow. */
export interface ScriptSubject extends IsolatedSubject {
  readonly launch: IsolatedSubject['launch'] & Pick<Launch, 'environment'>;
}

/** An agent as the subject of a script. */
export function scriptSubjectOf(record: AgentRecord): ScriptSubject {
  return { ...subjectOf(record), launch: record.launch };
}

/** A script of a workflow. */
export interface WorkflowScript extends Omit<ScriptRun, 'around'> {
  /** Whether the agent may be running meanwhile. */
  readonly isBeside: boolean;
}

/**
 * Runs a script of a workflow in the environment of its agent, isolated like it, with the variables of `env` added.
 * Its output is passed on without secrets. Returns why it failed; empty if it succeeded.
 * @throws FAILED_PRECONDITION when it cannot be started
 */
export async function runWorkflowScript(
  home: ScriptHome,
  subject: ScriptSubject,
  { isBeside, ...run }: WorkflowScript,
): Promise<string> {
  const inherited = { ...inheritedEnvironment(home, subject.launch), ...(await home.ports.variables(run.cwd)) };
  const around = await home.isolation.around(subject, { cwd: run.cwd, env: inherited, programs: [], isBeside });
  const output = home.redactor.stream(run.onOutput);
  const script = { ...run, around, env: { ...inherited, ...run.env }, onOutput: output.write };
  const failure = failureOf(await runScript(script).finally(() => output.end()));
  const exceeded = failure === '' ? undefined : home.isolation.exceeded(subject.id);
  return exceeded === undefined ? failure : `was ended: used more than ${exceeded}`;
}

/** The part of the person's environment, and the variables of its workflow, that an agent and its scripts get. */
function inheritedEnvironment(
  { environment, variables, harnesses }: ScriptHome,
  { harness, environment: additions }: Pick<Launch, 'harness' | 'environment'>,
): Record<string, string> {
  const { variables: own = [] } = harnesses.find(harness) ?? {};
  return withAdditions(agentEnvironment(environment, [...variables, ...own]), environment, additions);
}

/** Why a script could not be started. Rethrows errors that are not failures. */
export function reasonOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  throw error;
}

function failureOf({ exitCode, signal, timedOut }: ScriptEnd): string {
  if (exitCode === 0) return '';
  return timedOut ? 'took too long and was ended' : `ended with ${exitCode ?? signal ?? 'no status'}`;
}
