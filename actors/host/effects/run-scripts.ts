import type { Performance, Performer } from '#actors/host/agent/performer.ts';
import { StepFailure } from '#actors/host/agent/step-failure.ts';
import { outputMark } from '#contract/fact/reason-parts.ts';
import type { RunScript } from '#contract/run-log.ts';
import type { WorkflowScripts } from '#contract/workflow.ts';
import { type AgentEvent, type AgentStep, readAgentContext } from '#machines/agent/agent-context.ts';
import { runLogged, type ScriptTools } from './logged-script.ts';

const minute = 60_000;
/** How long a setup script may take, in milliseconds. */
export const setupMs = 30 * minute;
/** How much of a script's output the reason of a failed step contains, in characters. */
const tailLength = 2_000;

interface Script {
  readonly name: keyof WorkflowScripts;
  readonly script: RunScript;
  readonly timeoutMs: number;
}

/** Runs the workflow's setup script in the worktree. The CLI starts only after it has exited with 0. */
export function runSetup(tools: ScriptTools): Performer {
  const script = { name: 'setup', script: 'RUN_SCRIPT_SETUP', timeoutMs: setupMs } as const;
  return ofWorktree('preparing', script, { type: 'SETUP_DONE' }, tools);
}

/** Runs the workflow's teardown script in the worktree before it is removed. */
export function runTeardown(tools: ScriptTools): Performer {
  const script = { name: 'teardown', script: 'RUN_SCRIPT_TEARDOWN', timeoutMs: 10 * minute } as const;
  return ofWorktree('tearing down', script, { type: 'TEARDOWN_DONE' }, tools);
}

/** Runs the workflow's script for an agent that came to rest, in the agent's directory. */
export function runOnIdle(tools: ScriptTools): Performer {
  return beside({ name: 'onIdle', script: 'RUN_SCRIPT_ON_IDLE', timeoutMs: 10 * minute }, tools);
}

/** Runs the workflow's script for an agent that waits for a person, in the agent's directory. */
export function runOnWaiting(tools: ScriptTools): Performer {
  return beside({ name: 'onWaiting', script: 'RUN_SCRIPT_ON_WAITING', timeoutMs: 10 * minute }, tools);
}

function ofWorktree(step: AgentStep, script: Script, done: AgentEvent, tools: ScriptTools): Performer {
  return {
    step,
    async perform(performance: Performance) {
      const { worktree } = readAgentContext(performance.record.snapshot);
      const command = performance.record.launch.scripts[script.name];
      if (!command || !worktree) return done;
      const { reason, output } = await runLogged(tools, performance, {
        ...script,
        command,
        cwd: worktree.path,
        isBeside: false,
      });
      if (reason === '') return done;
      const tail = output.slice(-tailLength).trimEnd();
      throw new StepFailure('SCRIPT_FAILED', outputMark, {
        summary: `the ${script.name} script ${reason}`,
        output: tail,
      });
    },
  };
}

/**
 * A script that nothing waits for. Its result is only in its log. Of several queued runs, only the newest is performed.
 */
function beside(script: Script, tools: ScriptTools): Performer {
  return {
    step: undefined,
    inBackground: true,
    async perform(performance: Performance) {
      const { record, effect } = performance;
      const last = record.effects.findLast(({ kind }) => kind === effect.kind);
      const command = record.launch.scripts[script.name];
      if (!command || (last !== undefined && last.key !== effect.key)) return undefined;
      const { worktree, state } = readAgentContext(record.snapshot);
      const cwd = worktree?.path ?? record.launch.cwd;
      await runLogged(tools, performance, {
        ...script,
        command,
        cwd,
        isBeside: true,
        env: { MUSTER_AGENT_STATE: state },
      });
      return undefined;
    },
  };
}
