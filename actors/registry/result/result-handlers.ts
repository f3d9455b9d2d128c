import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { askHost } from '#actors/registry/host/host-call.ts';
import type { HostScope } from '#actors/registry/host/host-scope.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { ownAgentId } from '#actors/registry/kernel/self.ts';
import { maySteer } from '#actors/registry/rights/steering-rights.ts';
import { shownAgent } from '#actors/registry/roster/shown-agent.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { getResult, reportResult } from '#contract/operations/result.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import { checkFits } from './result-schema.ts';

/** Stores what an agent reports as the result of its work, in place of what it reported before. */
export const reportResultHandler = handler(
  reportResult,
  async ({ agentId, result: given }, caller, scope: HostScope) => {
    const { store, clock } = scope;
    const id = ownAgentId(caller, agentId);
    const { expected, host } = await store.read(async (tables) => {
      const { host } = await findAgent(tables.agents, id);
      return { expected: await tables.results.find(id), host: await tables.hosts.find(host) };
    });
    // Only its host knows all secrets that it was given.
    const result =
      host === undefined ? given : (await askHost(scope.lines, host, hostCalls.redact, { text: given })).text;
    // The schema is fixed at launch. Checking may take a while, so no transaction waits for it.
    if (expected?.schema != null) await checkFits(expected.schema, result);
    return store.write(async ({ agents, journal, results }) => {
      const agent = await findAgent(agents, id);
      const reportedAt = clock.now();
      await results.put({ agent: id, text: result, turns: agent.turns ?? 0, reportedAt }, await results.find(id));
      await journal.setResultAt(agent, reportedAt);
      return { agent: shownAgent(caller, await findAgent(agents, id)) };
    });
  },
);

/** Returns the last result that an agent reported. */
export const getResultHandler = handler(getResult, ({ agentId }, caller, { store }) =>
  store.read(async ({ agents, results }) => {
    const agent = await findAgent(agents, agentId);
    checkReads(caller, agent);
    const found = await results.find(agentId);
    if (found?.text == null || found.reportedAt == null) throw noResult(agent);
    const { text, schema, turns, reportedAt } = found;
    return {
      result: {
        agentId,
        text,
        ...(schema != null && { fitsSchema: true }),
        turn: turns + 1,
        reportedAt: timeOf(reportedAt),
      },
    };
  }),
);

/** @throws PERMISSION_DENIED when a caller may not read an agent's result */
function checkReads(caller: Caller, agent: StoredAgent): void {
  if (maySteer(caller, agent)) return;
  if (caller.kind === 'agent' && [agent.id, agent.spawnedByAgentId].includes(caller.agentId)) return;
  throw new Failure(
    'NOT_YOURS',
    `Agent ${describeAgent(agent)} is not one that you launched: only an orchestrator, or whoever launched it, reads its ` +
      'result; ask the person',
    { field: 'agentId' },
  );
}

function noResult(agent: StoredAgent): Failure {
  return new Failure(
    'NO_RESULT',
    `Agent ${describeAgent(agent)} has not reported a result: wait_for_agents waits until it finishes, and read_pane shows its ` +
      'screen',
    { metadata: { agentId: agent.id } },
  );
}
