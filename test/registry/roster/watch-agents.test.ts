import { expect } from 'chai';
import { hashOf } from '#actors/registry/access/agent-tokens.ts';
import { operationSubject } from '#bus/subjects.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { watchAgents } from '#contract/operations/agent.ts';
import { failureOf } from '#test/support/failure.ts';
import { inSoak } from '#test/support/soak.ts';
import { firstWorkflow, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

interface Answer {
  readonly agents: AgentRow[];
  readonly goneAgentIds: string[];
  readonly cursor: string;
}

describe('watch_agents', () => {
  let fixture: RegistryFixture;

  beforeEach(async () => {
    fixture = await registryFixture({ ceiling: 1000 });
  });
  afterEach(() => fixture.close());

  const watch = (cursor = '') => fixture.call<Answer>('WatchAgents', { cursor });
  const idsOf = ({ agents }: Answer) => agents.map(({ agent }) => agent?.id);

  it('returns nothing without agents, and continues from there', async () => {
    const start = await watch();
    expect(start).to.deep.include({ agents: [], goneAgentIds: [] });
    const { id } = await fixture.create();
    expect(idsOf(await watch(start.cursor))).to.deep.equal([id]);
  });

  it('returns every existing row, then each changed one once, in its current state', async () => {
    const [one, two] = [await fixture.create(), await fixture.create()];
    const all = await watch();
    expect(idsOf(all).toSorted()).to.deep.equal([one.id, two.id].toSorted());
    expect(idsOf(await watch(all.cursor))).to.deep.equal([]);
    await fixture.host.bringUp(one.id);
    const moved = await watch(all.cursor);
    expect(idsOf(moved)).to.deep.equal([one.id]);
    expect(moved.agents[0]?.agent?.state).to.equal('AGENT_STATE_THINKING');
    expect((await watch(moved.cursor)).agents).to.deep.equal([]);
  });

  it('ends at the same cursor for all up-to-date watches', async () => {
    const [{ id }, before] = [await fixture.create(), await watch()];
    const { cursor: between } = await watch();
    await fixture.host.bringUp(id);
    const [one, other] = [await watch(before.cursor), await watch(between)];
    expect(one.cursor).to.equal(other.cursor);
    expect((await watch(one.cursor)).cursor).to.equal(one.cursor);
  });

  it('omits from a shared answer what only one agent may see', async () => {
    const { id } = await fixture.create({ provisionEnabled: false, role: 'AGENT_ROLE_IMPLEMENTER' });
    await fixture.host.bringUp(id);
    const reading = { state: 'AGENT_STATE_WAITING', reason: 'permission', asked: 'Delete it all?' } as const;
    await fixture.host.tell(id, { type: 'READING', reading });
    const credential = hashOf(await fixture.tokenFor(id));
    const asked = async (more: object) => {
      const call = { credential, request: {}, ...more };
      const answer = await fixture.gateway.request(operationSubject(watchAgents), call, { timeoutMs: 60_000 });
      return JSON.stringify(answer);
    };
    expect(await asked({})).to.include('Delete it all?');
    expect(await asked({ shared: true }))
      .to.include(id)
      .and.not.include('Delete it all?');
  });

  it('continues after a restart', async () => {
    const { id } = await fixture.create();
    const { cursor } = await watch();
    await fixture.call('MarkAgent', { agentId: id, mark: 'z' });
    await fixture.restart();
    const moved = await watch(cursor);
    expect(moved.agents.map(({ mark }) => mark)).to.deep.equal(['z']);
  });

  it('returns archived agents as rows, and deleted ones by id', async () => {
    const { id } = await fixture.create({ provisionEnabled: false });
    let { cursor } = await watch();
    await fixture.call('ArchiveAgent', { agentId: id });
    const archived = await watch(cursor);
    expect(archived.agents[0]?.agent?.archivedAt).to.be.a('string');
    cursor = archived.cursor;
    await fixture.host.tell(id, { type: 'PANE_CLOSED' });
    await fixture.call('DeleteAgent', { agentId: id });
    await fixture.host.tell(id, { type: 'PANE_CLOSED' });
    expect(await watch(cursor)).to.deep.include({ agents: [], goneAgentIds: [id] });
  });

  /** Launches agents without tokens, and returns their ids. */
  async function launch(count: number): Promise<string[]> {
    const { id: workflowId } = await firstWorkflow(fixture);
    const request = { prompt: 'Fix it', workflowId, provisionEnabled: false };
    const ids: string[] = [];
    while (ids.length < count) {
      ids.push((await fixture.call<{ agent: { id: string } }>('CreateAgent', request)).agent.id);
    }
    return ids;
  }

  inSoak(
    'reports rows in pages of 200, and whatever moves in the meantime as well, also if the last page is empty',
    async () => {
      const ids = await launch(200);
      const whole = await watch();
      expect(whole.agents).to.have.length(200);
      fixture.clock.pass(1000);
      const [late = ''] = await launch(1);
      expect(idsOf(await watch(whole.cursor))).to.deep.equal([late]);

      ids.push(late, ...(await launch(200)));
      const first = await watch();
      expect(first.agents).to.have.length(200);
      const moved = ids.at(-1) ?? '';
      fixture.clock.pass(1000);
      await fixture.call('MarkAgent', { agentId: moved, mark: 'm' });
      const second = await watch(first.cursor);
      const third = await watch(second.cursor);
      expect(third.agents).to.have.length(1);
      const told = [first, second, third].flatMap(idsOf);
      expect(told.toSorted()).to.deep.equal(ids.toSorted());
      const after = await watch(third.cursor);
      expect(after.agents.map(({ agent, mark }) => [agent?.id, mark])).to.deep.equal([[moved, 'm']]);
    },
  );

  for (const cursor of ['hello', '0', Buffer.from('{"kind":"watch-agents","seq":"99999"}').toString('base64url')]) {
    it(`refuses the cursor ${cursor}`, async () => {
      expect(await failureOf(() => watch(cursor))).to.have.property('code', 'invalid_argument');
    });
  }
});
