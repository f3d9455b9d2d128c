import type { z } from 'zod';
import { agentOfEpoch } from '#actors/registry/agent/find-agent.ts';
import { callToResult } from '#actors/registry/doorbell/agent-bells.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { RunScript, RunState } from '#contract/run-log.ts';
import type { registryCalls } from '#contract/wire/registry.ts';
import type { StoredRun } from '#store/run/run-entity.ts';
import type { RunEnd } from '#store/run/run-table.ts';
import type { Tables } from '#store/store.ts';

/** Scripts whose failure nothing else tells of. */
const aside: Readonly<Partial<Record<RunScript, string>>> = {
  RUN_SCRIPT_ON_IDLE: 'the script for when it comes to rest',
  RUN_SCRIPT_ON_WAITING: 'the script for when it waits',
};

type RunNote = z.output<typeof registryCalls.run.request>;

/**
 * Writes down what a host tells of a script's run: without output, that it begins. A failure shows on the agent's row in the
 * same write. What is told of a run that has ended, or is not kept any more, is passed over: it is a repeat. Gives the run that
 * wrote something and goes on.
 */
export async function noteRun(
  writing: Change,
  { agentId, epoch, effect, script, output, end }: RunNote,
): Promise<StoredRun | undefined> {
  const { agents, runs, facts } = writing.tables;
  const agent = await agentOfEpoch(agents, agentId, epoch);
  if (output === undefined) {
    await runs.begin({ effect, agent: agentId, host: agent.host, script });
    const begun = await runs.underWay(agentId, effect);
    await facts.append([{ kind: 'run.begun', subjectId: agentId, detail: { run: begun?.id, script } }]);
    return undefined;
  }
  const run = await runs.underWay(agentId, effect);
  if (run === undefined) return undefined;
  await runs.write(run.id, output, end);
  if (end === undefined) return run;
  await noteEnd(writing, run, end);
  return undefined;
}

async function noteEnd(writing: Change, { id, agent, script }: StoredRun, { failed, reason }: RunEnd): Promise<void> {
  const { runs, facts } = writing.tables;
  const state: RunState = failed ? 'RUN_STATE_FAILED' : 'RUN_STATE_SUCCEEDED';
  await facts.append([{ kind: 'run.ended', subjectId: agent, detail: { run: id, script, state } }]);
  const called = aside[script];
  // A step of an agent's life that was tried again and succeeded asks nobody to look at how it failed before.
  if (!failed && called === undefined) await runs.excuse(agent, script);
  await showFailure(writing.tables, agent);
  if (!failed || called === undefined) return;
  const fact = { kind: 'agent.run-failed', detail: { run: id, reason: `${called} ${reason}` } };
  await facts.append([{ ...fact, subjectId: agent }]);
  await callToResult(writing, { agentId: agent, facts: [fact] });
}

/** Shows on an agent's row the newest of its failed runs that nobody has looked at. */
export async function showFailure({ agents, journal, runs }: Tables, agentId: string): Promise<void> {
  const agent = await agents.find(agentId);
  if (agent === undefined) return;
  const [newest] = await runs.page({ agent: agentId, failed: true }, undefined, 1);
  await journal.setFailedRun(agent, newest?.id ?? null);
}
