import { expect } from 'chai';
import { z } from 'zod';
import type { Agent } from '#contract/agent/agent.ts';
import { outputMark, screenMark, withoutScreen } from '#contract/fact/reason-parts.ts';
import { operations } from '#contract/table.ts';
import { agentRoles, type Made, type RegistryFixture, registryFixture } from '#test/registry/registry-fixture.ts';

const written = 'hunter2-that-a-script-wrote';
const asked = 'hunter2-on-a-screen';
const left = 'hunter2-on-the-last-screen';

/** The operations whose answer carries agents. */
const answering = operations.filter(
  ({ response }) => response instanceof z.ZodObject && ['agent', 'agents'].some((field) => field in response.shape),
);

/** Every agent in an answer, however deep. */
function agentsIn(answer: unknown): Agent[] {
  if (Array.isArray(answer)) return answer.flatMap(agentsIn);
  if (typeof answer !== 'object' || answer === null) return [];
  const own = ('harness' in answer && 'workflowId' in answer) || 'outcome' in answer ? [answer as Agent] : [];
  return [...own, ...Object.values(answer).flatMap(agentsIn)];
}

/** An agent that asks in every way for what only those may know who read runs and panes. */
describe('an answer that contains an agent', () => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await registryFixture();
  });
  after(() => fixture.close());

  const waits = { state: 'AGENT_STATE_WAITING', reason: 'permission', asked } as const;

  for (const role of agentRoles) {
    it(`shows ${role} neither script output nor another agent’s screen, unless it may read them`, async () => {
      const { host } = fixture;
      const flow = await fixture.workflow({ role });
      const scripted = { workflowId: flow.id, provisionEnabled: false };
      const caller = await fixture.create({ ...scripted, role });
      const as = { agentId: caller.id };
      const seen = new Map<string, Agent[]>();
      const launched = async (idempotencyKey: string): Promise<Made<Agent>> =>
        fixture.create({ ...scripted, role: 'AGENT_ROLE_IMPLEMENTER', idempotencyKey }, as);
      const [asking, failed, gone] = [await launched('asking'), await launched('failed'), await launched('gone')];
      const ended = await launched('ended');
      await host.bringUp(ended.id);
      const ending = `the CLI exited with status 1${screenMark} ${left}`;
      await host.tell(ended.id, { type: 'PANE_GONE', reason: ending, briefed: true });
      await host.bringUp(asking.id);
      await host.tell(asking.id, { type: 'READING', reading: waits });
      const reason = `the setup script ended with 1${outputMark}${written}`;
      for (const { id } of [failed, gone, caller])
        await host.tell(id, { type: 'STEP_FAILED', step: 'preparing', reason });
      await fixture.call('DeleteAgent', { agentId: gone.id });
      await host.tell(gone.id, { type: 'PANE_CLOSED' });
      const about = [asking.id, failed.id, ended.id, caller.id].map((agentId) => ({ agentId, called: agentId }));
      const keys = ['asking', 'failed', 'gone', 'ended'].map((idempotencyKey) => ({ ...scripted, idempotencyKey }));
      const since = new Date(0).toISOString();
      const waited = { agentIds: about.map(({ agentId }) => agentId), any: true };
      const given = { ...waited, prompt: 'Go on', reason: 'said', metadata: [{ key: 'k', value: 'v' }], since };
      const offered = answering.filter(({ roles }) => (roles as readonly string[]).includes(roleWord(role)));
      for (const { method, access } of offered.toSorted(
        (a, b) => Number(b.access === 'read') - Number(a.access === 'read'),
      )) {
        const requests: object[] = access === 'read' ? [...about, {}] : [...keys, ...about, {}];
        for (const request of requests) {
          const answer = await fixture.call(method, { ...given, ...request }, as).catch(() => undefined);
          seen.set(method, [...(seen.get(method) ?? []), ...agentsIn(answer)]);
        }
      }
      const maySeeAll = role === 'AGENT_ROLE_ORCHESTRATOR';
      const [unanswered = 'none'] = [...seen].filter(([, agents]) => agents.length === 0).map(([method]) => method);
      expect(['none', 'PromptAgent', 'InterruptAgent'], 'operations that answered nothing').to.include(unanswered);
      for (const [method, agents] of seen) {
        const told = JSON.stringify(agents);
        if (!maySeeAll) expect(told, method).not.to.include(written);
        if (!maySeeAll) expect(told, method).not.to.include(asked).and.not.to.include(left);
      }
      const repeats = seen.get('CreateAgent') ?? [];
      expect(new Set(repeats.map(({ id }) => id)))
        .to.include(asking.id)
        .and.include(failed.id)
        .and.include(gone.id);
      const row = repeats.find(({ id }) => id === failed.id);
      expect(row?.stateReason).to.contain('the setup script ended with 1');
      if (maySeeAll)
        expect(JSON.stringify([...seen.values()]))
          .to.include(written)
          .and.include(asked)
          .and.include(left);
    });
  }

  it('shows no screen in a reason that was stored before screens were marked', () => {
    const before = [
      ['the CLI exited with status 1', ': '],
      ['the CLI was ended by SIGKILL', ': '],
      ['the CLI was ended by a signal', ': '],
      ['the CLI exited to a shell before it accepted its briefing', '; the pane shows:\n'],
      ['the briefing is in the composer, and Enter does not submit it', '; the pane shows:\n'],
      ['given up after repeated failures: the host is away', "\nthe pane's last lines:\n"],
    ];
    for (const [what = '', mark = ''] of before) expect(withoutScreen(`${what}${mark}${left}`)).to.equal(what);
    for (const [what = ''] of before) expect(withoutScreen(what)).to.equal(what);
  });

  it('is checked for every operation that has one', () => {
    const offered = answering.filter(({ roles }) => roles.length > 0).map(({ method }) => method);
    expect(offered).to.include.members(['CreateAgent', 'GetAgent', 'ListAgents', 'WatchAgents', 'ExplainAgent']);
    expect(offered).to.include.members(['ReportReason', 'RecordMetadata', 'PromptAgent', 'RetryAgent', 'ArchiveAgent']);
  });
});

function roleWord(role: (typeof agentRoles)[number]): string {
  return role.replace('AGENT_ROLE_', '').toLowerCase();
}
