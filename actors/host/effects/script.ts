import { Failure } from '#contract/failure.ts';
import type { Launch } from '#contract/wire/agent-record.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { agentEnvironment, withAdditions } from '#world/process/environment.ts';
import { runScript, type ScriptEnd, type ScriptRun } from '#world/process/script.ts';

/** What running scripts of a workflow needs. */
export interface ScriptHome {
  /** The person's environment. A script gets the same part of it as its agent. */
  readonly environment: Readonly<Record<string, string>>;
  readonly variables: readonly string[];
  readonly harnesses: Pick<Harnesses, 'find'>;
}

/**
 * Runs a script of a workflow in the environment of its agent, with the variables of `env` added. Returns why it
 * failed; empty if it succeeded.
 * @throws FAILED_PRECONDITION when it cannot be started
 */
export async function runWorkflowScript(
  { environment, variables, harnesses }: ScriptHome,
  launch: Pick<Launch, 'harness' | 'environment'>,
  run: ScriptRun,
): Promise<string> {
  const { variables: own = [] } = harnesses.find(launch.harness) ?? {};
  const given = agentEnvironment(environment, [...variables, ...own]);
  const env = { ...withAdditions(given, environment, launch.environment), ...run.env };
  return failureOf(await runScript({ ...run, env }));
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
