import { patiently } from '#actors/host/agent/patience.ts';
import type { Performance } from '#actors/host/agent/performer.ts';
import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import { outputKept, type RunScript } from '#contract/run-log.ts';
import type { AgentContext } from '#machines/agent/agent-context.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import { agentEnvironment, withAdditions } from '#world/process/environment.ts';
import { runScript, type ScriptEnd } from '#world/process/script.ts';
import { ownEnvironment } from './own-environment.ts';
import { Tail } from './tail.ts';
import { requireUnmoved } from './unmoved-directory.ts';

/** How often the log of a script that runs is brought up to date, in milliseconds. */
const every = 2_000;

export interface ScriptTools {
  readonly registry: Pick<RegistryClient, 'token' | 'run'>;
  /** The person's environment, of which a script is given what its agent is. */
  readonly environment: Readonly<Record<string, string>>;
  readonly variables: readonly string[];
  readonly harnesses: Pick<Harnesses, 'find'>;
  readonly baseUrl: string;
  /** The folder that holds the worktrees. */
  readonly worktrees: string;
  readonly clock: Timer;
  readonly log: Pick<Log, 'warn'>;
}

interface ScriptOrder {
  readonly script: RunScript;
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** What it finds in its environment beside what every script of an agent finds. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a script for an agent and keeps a log of it at the registry, which can be read while it runs. Gives why it failed,
 * empty where it did not, and the end of what it wrote. `unavailable` only before the script was started.
 */
export async function runLogged(
  tools: ScriptTools,
  { record, effect, signal }: Performance,
  { script, ...order }: ScriptOrder,
): Promise<{ reason: string; output: string }> {
  const { registry, clock, harnesses, log } = tools;
  const { variables = [] } = harnesses.find(record.launch.harness) ?? {};
  const about = { agentId: record.id, epoch: record.epoch, effect: effect.key, script };
  const own = await ownEnvironment(record, tools, 'script');
  await registry.run(about);
  const tail = new Tail(outputKept);
  const env = {
    ...withAdditions(
      agentEnvironment(tools.environment, [...tools.variables, ...variables]),
      tools.environment,
      record.launch.environment,
    ),
    MUSTER_AGENT_NAME: (record.snapshot.context as AgentContext).name,
    ...order.env,
    ...own,
  };
  const over = new AbortController();
  const telling = tellMeanwhile(tools, AbortSignal.any([signal, over.signal]), tail, (output) =>
    registry.run({ ...about, output }),
  );
  const reason = await requireUnmoved(record, order.cwd, tools.worktrees)
    .then(() => runScript({ ...order, env, signal, onOutput: (text) => tail.add(text) }))
    .then(failureOf, (error: unknown) => {
      if (error instanceof Failure) return error.message;
      throw error;
    })
    .finally(() => over.abort());
  await telling;
  const end = { failed: reason !== '', reason };
  // What the script came to stands, whatever becomes of its log: it is never run again for that.
  await patiently(clock, signal, () => registry.run({ ...about, output: tail.kept(), end })).catch((err: unknown) => {
    if (signal.aborted || !(err instanceof Failure)) throw err;
    log.warn({ err, ...about }, 'the registry refuses to hear how a script ended');
  });
  return { reason, output: tail.kept().output };
}

/** Brings the log up to date now and then, as long as something new is written. A lost update is made up for by the next one. */
async function tellMeanwhile(
  { clock }: ScriptTools,
  signal: AbortSignal,
  tail: Tail,
  tell: (output: { output: string; cut: boolean }) => Promise<unknown>,
): Promise<void> {
  let told = 0;
  while (!signal.aborted) {
    await clock.sleep(every, signal).catch(() => {});
    if (signal.aborted || tail.added === told) continue;
    told = tail.added;
    await tell(tail.kept()).catch(() => {});
  }
}

function failureOf({ exitCode, signal, timedOut }: ScriptEnd): string {
  if (exitCode === 0) return '';
  return timedOut ? 'took too long and was ended' : `ended with ${exitCode ?? signal ?? 'no status'}`;
}
