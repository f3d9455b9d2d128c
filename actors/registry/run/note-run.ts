import type { z } from 'zod';
import { ringForResult } from '#actors/registry/doorbell/agent-bells.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { ViewedFault } from '#contract/agent/agent-view.ts';
import type { RunScript, RunState } from '#contract/run-log.ts';
import type { registryCalls } from '#contract/wire/registry.ts';
import { errorLineOf } from '#machines/agent/error-line.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredRun } from '#store/run/run-entity.ts';
import type { RunEnd } from '#store/run/run-table.ts';
import type { Tables } from '#store/tables.ts';

/** Scripts that run outside the agent's state machine, so that only their run shows a failure. */
const aside: Readonly<Partial<Record<RunScript, string>>> = {
  RUN_SCRIPT_ON_IDLE: 'the onIdle script',
  RUN_SCRIPT_ON_WAITING: 'the onWaiting script',
};

const names: Readonly<Record<RunScript, string>> = {
  RUN_SCRIPT_UNSPECIFIED: 'a script',
  RUN_SCRIPT_SETUP: 'the setup script',
  RUN_SCRIPT_TEARDOWN: 'the teardown script',
  RUN_SCRIPT_ON_IDLE: 'the onIdle script',
  RUN_SCRIPT_ON_WAITING: 'the onWaiting script',
};

type RunNote = z.output<typeof registryCalls.run.request>;

/**
 * Saves a host's report about a script run. A report without output begins the run. If the run has failed, the same
 * transaction sets that on the agent's row. Reports about a run that has ended or was pruned are repeats, and ignored.
 * Returns the run if it has written output and continues.
 */
export async function noteRun(
  writing: Change,
  { id: agentId, host }: StoredAgent,
  { effect, script, output, end }: RunNote,
): Promise<StoredRun | undefined> {
  const { runs, facts } = writing.tables;
  if (output === undefined) {
    await runs.begin({ effect, agent: agentId, host, script });
    const begun = await runs.underWay(agentId, effect);
    await facts.append([{ kind: 'run.begun', subjectId: agentId, detail: { run: begun?.id, script } }]);
    return undefined;
  }
  const run = await runs.underWay(agentId, effect);
  if (run === undefined) return undefined;
  await runs.write(run.id, output, end);
  if (end === undefined) return run;
  await noteEnd(writing, run, end, output.output);
  return undefined;
}

async function noteEnd(writing: Change, run: StoredRun, { failed, reason }: RunEnd, output: string): Promise<void> {
  const { id, agent, script } = run;
  const { runs, facts } = writing.tables;
  const state: RunState = failed ? 'RUN_STATE_FAILED' : 'RUN_STATE_SUCCEEDED';
  await facts.append([{ kind: 'run.ended', subjectId: agent, detail: { run: id, script, state } }]);
  const called = aside[script];
  // Once a retried step has succeeded, its earlier failure needs no attention.
  if (!failed && called === undefined) await runs.clearFailure(agent, script);
  await showFailure(writing.tables, agent);
  if (!failed || called === undefined) return;
  const fact = {
    kind: 'agent.run-failed',
    detail: { run: id, reason: `${called} ${reason}`, line: errorLineOf(output) },
  };
  await facts.append([{ ...fact, subjectId: agent }]);
  await ringForResult(writing, { agentId: agent, facts: [fact] });
}

/** Sets the newest unacknowledged failed run on an agent's row. */
export async function showFailure({ agents, journal, runs }: Tables, agentId: string): Promise<void> {
  const agent = await agents.find(agentId);
  if (agent === undefined) return;
  const [newest] = await runs.page({ agent: agentId, failed: true }, undefined, 1);
  await journal.setFailedRun(agent, newest === undefined ? null : { id: newest.id, fault: faultOf(newest) });
}

/** Which script failed and how, with the most informative line of its output. */
function faultOf({ script, reason, tail }: StoredRun): ViewedFault {
  return { summary: `${names[script]} ${reason}`, line: errorLineOf(tail), output: '' };
}
