import { Failure } from '#contract/failure.ts';
import type { AgentContext, AgentEvent, AgentStep } from '#machines/agent-context.ts';
import { runScript } from '#world/script.ts';
import type { Performance, Performer } from '../performer.ts';

/** How much of a script's output is kept for the reason of its failure, in characters. */
const tailLength = 2_000;

/** Runs the workflow's setup script in the worktree; the CLI starts only after it ended with 0. */
export function runSetup(environment: Readonly<Record<string, string>>): Performer {
  return scriptPerformer('preparing', 'setup', 30 * 60_000, { type: 'SETUP_DONE' }, environment);
}

/** Runs the workflow's teardown script in the worktree before it is removed. */
export function runTeardown(environment: Readonly<Record<string, string>>): Performer {
  return scriptPerformer('tearing down', 'teardown', 10 * 60_000, { type: 'TEARDOWN_DONE' }, environment);
}

function scriptPerformer(
  step: AgentStep,
  name: 'setup' | 'teardown',
  timeoutMs: number,
  done: AgentEvent,
  environment: Readonly<Record<string, string>>,
): Performer {
  return {
    step,
    async perform({ record, signal }: Performance) {
      const command = record.launch.scripts[name];
      const { worktree } = record.snapshot.context as AgentContext;
      if (!command || !worktree) return done;
      let tail = '';
      const end = await runScript({
        command,
        cwd: worktree.path,
        env: { ...environment, SERVICE_AGENT_ID: record.id },
        timeoutMs,
        signal,
        onOutput: (text) => {
          tail = (tail + text).slice(-tailLength);
        },
      });
      if (end.exitCode === 0) return done;
      const how = end.timedOut ? 'took too long and was ended' : `ended with ${end.exitCode ?? end.signal}`;
      throw new Failure('failed_precondition', `the ${name} script ${how}; its last output:\n${tail.trimEnd()}`);
    },
  };
}
