import type { Performance } from '#actors/host/agent/performer.ts';
import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import { retry } from '#actors/host/agent/retry.ts';
import type { HostProfiles } from '#actors/host/secret/host-profiles.ts';
import { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import { outputKept, type RunScript } from '#contract/run-log.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import type { MachineTimer } from '#world/concurrency/timer.ts';
import { freshStart } from './fresh-start.ts';
import { ownEnvironment } from './own-environment.ts';
import { requireSameDirectory } from './same-directory.ts';
import { reasonOf, runWorkflowScript, type ScriptHome, scriptSubjectOf } from './script.ts';
import { Tail } from './tail.ts';

/** How often the log of a running script is updated, in milliseconds. */
const every = 2_000;

export interface ScriptTools extends ScriptHome {
  readonly registry: Pick<RegistryClient, 'token' | 'run'>;
  readonly baseUrl: string;
  /** The folder that holds the worktrees. */
  readonly worktrees: string;
  readonly profiles: Pick<HostProfiles, 'forScript'>;
  readonly clock: MachineTimer;
  readonly log: Pick<Log, 'warn'>;
}

interface ScriptRequest {
  readonly script: RunScript;
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Whether the agent may be running meanwhile. */
  readonly isBeside: boolean;
  /** Variables in addition to those that every script of an agent has. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a script for an agent and keeps its log at the registry, where it can be read while the script runs. Returns why
 * it failed, empty if it did not, and the end of its output.
 * @throws UNAVAILABLE when the registry cannot be reached, only before the script is started
 */
export async function runLogged(
  tools: ScriptTools,
  { record, effect, signal }: Performance,
  { script, ...order }: ScriptRequest,
): Promise<{ reason: string; output: string }> {
  const { registry, clock, log } = tools;
  const about = { agentId: record.id, epoch: record.epoch, effect: effect.key, script };
  const mayStart = freshStart(clock);
  const own = await ownEnvironment(record, tools, 'script');
  await registry.run(about);
  const given = await profileOf(tools, record);
  const unfit =
    given.unfit || (await requireSameDirectory(record, order.cwd, tools.worktrees).then(() => '', reasonOf));
  mayStart();
  const tail = new Tail(outputKept);
  const env = { ...given.variables, MUSTER_AGENT_NAME: readAgentContext(record.snapshot).name, ...order.env, ...own };
  const over = new AbortController();
  const reporting = reportMeanwhile(tools, AbortSignal.any([signal, over.signal]), tail, (output) =>
    registry.run({ ...about, output }),
  );
  const onOutput = (text: string): void => tail.add(text);
  const run = () =>
    runWorkflowScript(tools, scriptSubjectOf(record), { ...order, env, signal, onOutput }).catch(reasonOf);
  const reason = await (unfit === '' ? run() : Promise.resolve(unfit)).finally(() => over.abort());
  await reporting;
  const end = { failed: reason !== '', reason };
  // The script's result counts even if its log is lost: a lost log never runs it again.
  await retry(clock, signal, () => registry.run({ ...about, output: tail.kept(), end })).catch((err: unknown) => {
    if (signal.aborted || !(err instanceof Failure)) throw err;
    log.warn({ err, ...about }, 'the registry refuses the result of a script');
  });
  return { reason, output: tail.kept().output };
}

/** The variables of the agent's profile, or why they cannot be read. */
async function profileOf(
  { profiles, harnesses }: ScriptTools,
  record: AgentRecord,
): Promise<{ readonly variables: Readonly<Record<string, string>>; readonly unfit: string }> {
  try {
    const { environment, secrets } = await profiles.forScript(record, harnesses.find(record.launch.harness));
    return { variables: { ...environment, ...secrets }, unfit: '' };
  } catch (error) {
    if (error instanceof Failure && error.code === 'unavailable') throw error;
    return { variables: {}, unfit: reasonOf(error) };
  }
}

/** Updates the log periodically while there is new output. The next update replaces a failed one. */
async function reportMeanwhile(
  { clock }: ScriptTools,
  signal: AbortSignal,
  tail: Tail,
  report: (output: { output: string; cut: boolean }) => Promise<unknown>,
): Promise<void> {
  let reported = 0;
  while (!signal.aborted) {
    await clock.sleep(every, signal).catch(() => {});
    if (signal.aborted || tail.added === reported) continue;
    reported = tail.added;
    await report(tail.kept()).catch(() => {});
  }
}
