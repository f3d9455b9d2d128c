import type { z } from 'zod';
import type { RunScript } from '#contract/run-log.ts';
import type { registryCalls } from '#contract/wire/registry.ts';
import type { Tables } from '#store/store.ts';
import { agentOfEpoch } from './find-agent.ts';
import type { RegistryScope } from './registry-scope.ts';

/** Scripts whose failure nothing else tells of. */
const aside: Readonly<Partial<Record<RunScript, string>>> = {
  RUN_SCRIPT_ON_IDLE: 'the script for when it comes to rest',
  RUN_SCRIPT_ON_WAITING: 'the script for when it waits',
};

type RunNote = z.output<typeof registryCalls.run.request>;

/** Writes down what a host tells of a script's run. A failure shows on the agent's row in the same write. */
export function noteRun({ store }: RegistryScope, note: RunNote): Promise<{ id: number }> {
  return store.write(async (tables) => {
    const { agentId, epoch, effect, script, output, end } = note;
    const agent = await agentOfEpoch(tables.agents, agentId, epoch);
    const id = note.id ?? (await tables.runs.begin({ effect, agent: agentId, host: agent.host, script }));
    if (output !== undefined) await tables.runs.write(id, output, end);
    // What has succeeded since asks nobody to look at how it failed before.
    if (end?.failed === false) await tables.runs.excuse(agentId, script);
    if (end !== undefined) await showFailure(tables, agentId);
    const failed = end?.failed ? aside[script] : undefined;
    if (failed !== undefined) {
      const detail = { run: id, reason: `${failed} ${end?.reason}` };
      await tables.facts.append([{ kind: 'agent.run-failed', subjectId: agentId, detail }]);
    }
    return { id };
  });
}

/** Shows on an agent's row the newest of its failed runs that nobody has looked at. */
export async function showFailure({ agents, journal, runs }: Tables, agentId: string): Promise<void> {
  const agent = await agents.find(agentId);
  if (agent === undefined) return;
  const [newest] = await runs.page({ agent: agentId, failed: true }, undefined, 1);
  await journal.setFailedRun(agent, newest?.id ?? null);
}
