import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Doorbell } from '#contract/doorbell.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type As, type Made, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

interface Bells {
  readonly doorbells: Doorbell[];
  readonly cursor: string;
}

describe('doorbells', () => {
  let fixture: RegistryFixture;
  let agent: Made<Agent>;
  let self: As;
  before(async () => {
    fixture = await registryFixture();
  });
  beforeEach(async () => {
    await fixture.host.beat();
    agent = await fixture.create({ provisionEnabled: false });
    self = { agentId: agent.id };
    await fixture.host.bringUp(agent.id);
  });
  after(() => fixture.close());

  const mail = () => fixture.call('SendMail', { agentId: agent.id, body: 'hello' });
  const take = () => fixture.call('TakeMail', { agentId: agent.id });
  const claim = async (as = self) => (await fixture.call<Bells>('ClaimDoorbells', {}, as)).doorbells;
  const wait = (cursor = '', as = self, agentId = '') =>
    fixture.call<Bells>('WaitForDoorbells', { cursor, agentId }, as);
  /** The doorbell that the agent's host is to ring. */
  const bell = async () => (await fixture.host.registry.load(agent.id)).bell;
  const rung = async () => fixture.host.registry.rung(agent.id, 1, (await bell())?.id ?? '');
  const row = async () => (await fixture.call<{ agent: AgentRow }>('GetAgent', { agentId: agent.id })).agent;
  const kinds = async () => {
    const { facts } = await fixture.call<{ facts: { kind: string }[] }>('ListFacts', { subjectId: agent.id });
    return facts.map(({ kind }) => kind).filter((kind) => kind.startsWith('doorbell.'));
  };

  it('are one for any number of mails, sent to the host with the record', async () => {
    const { bells } = fixture.host;
    const { cursor } = await changesFrom('');
    await mail();
    await mail();
    await moment('the host is rung', () => fixture.host.bells > bells);
    expect((await bell())?.causes).to.deep.equal({ DOORBELL_CAUSE_MAIL: 2 });
    const { agents } = await changesFrom(cursor);
    expect(agents.map(({ id, bell: told }) => [id, told?.causes])).to.deep.equal([
      [agent.id, { DOORBELL_CAUSE_MAIL: 2 }],
    ]);
    expect(await kinds()).to.deep.equal(['doorbell.raised', 'doorbell.raised']);
  });

  it('are raised for the result of a launched agent on request', async () => {
    const reads = (state: 'AGENT_STATE_IDLE' | 'AGENT_STATE_WAITING' | 'AGENT_STATE_THINKING') =>
      ({ type: 'READING', reading: { state, reason: '' } }) as const;
    const causes = async () => (await claim()).flatMap((one) => one.causes);
    const awaited = await fixture.create({ provisionEnabled: false, ringOnResult: true }, self);
    const other = await fixture.create({ provisionEnabled: false }, self);
    for (const { id } of [awaited, other]) await fixture.host.bringUp(id);
    await fixture.host.tell(other.id, reads('AGENT_STATE_WAITING'));
    expect(await causes()).to.deep.equal([]);
    await fixture.host.tell(awaited.id, reads('AGENT_STATE_WAITING'));
    await fixture.host.tell(awaited.id, reads('AGENT_STATE_THINKING'));
    await fixture.host.tell(awaited.id, reads('AGENT_STATE_IDLE'));
    expect(await causes()).to.deep.equal([{ cause: 'DOORBELL_CAUSE_RESULT', count: 2 }]);
    const run = { agentId: awaited.id, epoch: 1, effect: `${awaited.id}/9/0`, script: 'RUN_SCRIPT_ON_IDLE' } as const;
    await fixture.host.registry.run(run);
    const output = { output: '', cut: false };
    await fixture.host.registry.run({ ...run, output, end: { failed: true, reason: 'ended with 1' } });
    expect(await causes()).to.deep.equal([{ cause: 'DOORBELL_CAUSE_RESULT', count: 1 }]);
    await fixture.call('ArchiveAgent', { agentId: agent.id });
    await fixture.host.tell(awaited.id, reads('AGENT_STATE_THINKING'));
    await fixture.host.tell(awaited.id, reads('AGENT_STATE_IDLE'));
    expect((await fixture.host.registry.load(agent.id)).bell).to.equal(undefined);
    const refused = await failureOf(() => fixture.create({ ringOnResult: true }));
    expect(refused.code).to.equal('invalid_argument');
    expect(refused.message).to.include('update_notify');
  });

  async function changesFrom(start: string) {
    let { agents, cursor } = await fixture.host.registry.changes('hst_1', start);
    while (start === '' && agents.length > 0)
      ({ agents, cursor } = await fixture.host.registry.changes('hst_1', cursor));
    return { agents, cursor };
  }

  it('are not rung again while unclaimed, and the row shows since when', async () => {
    await mail();
    fixture.clock.pass(1_000);
    const record = await rung();
    expect(record.bell).to.equal(undefined);
    await mail();
    expect(await bell()).to.equal(undefined);
    const { doorbellRaisedAt = '', doorbellRungAt = '' } = await row();
    expect(Date.parse(doorbellRungAt) - Date.parse(doorbellRaisedAt)).to.equal(1_000);
    expect(await claim()).to.have.length(1);
    expect(await row()).to.not.have.any.keys('doorbellRaisedAt', 'doorbellRungAt');
    expect(await row()).to.include({ unreadMailCount: 2 });
  });

  it('are claimed once, also by taking the mail, and raised again for the rest', async () => {
    await mail();
    await take();
    expect(await claim()).to.deep.equal([]);
    await mail();
    await mail();
    await fixture.call('TakeMail', { agentId: agent.id, limit: 1 });
    expect((await bell())?.causes).to.deep.equal({ DOORBELL_CAUSE_MAIL: 1 });
    const [claimed] = await claim();
    expect(claimed).to.include({ state: 'DOORBELL_STATE_CLAIMED', agentId: agent.id });
    expect(await claim()).to.deep.equal([]);
    expect(await bell()).to.equal(undefined);
  });

  it('stay claimed after a late report of the ring', async () => {
    await mail();
    const id = (await bell())?.id ?? '';
    await claim();
    await fixture.host.registry.rung(agent.id, 1, id);
    expect(await kinds()).to.deep.equal(['doorbell.claimed', 'doorbell.raised']);
  });

  it('are refused to a host that lost the agent, and for another agent', async () => {
    await mail();
    const id = (await bell())?.id ?? '';
    const other = await fixture.create({ provisionEnabled: false });
    const refusals = [
      await failureOf(() => fixture.host.registry.rung(agent.id, 0, id)),
      await failureOf(() => fixture.host.registry.rung(other.id, 1, id)),
    ];
    expect(refusals.map(({ code }) => code)).to.deep.equal(['failed_precondition', 'failed_precondition']);
    expect((await bell())?.id).to.equal(id);
    const as = { agentId: other.id };
    const foreign = await failureOf(() => fixture.call('ClaimDoorbells', { agentId: agent.id }, as));
    expect(foreign.code).to.equal('permission_denied');
  });

  describe('with a waiting agent', () => {
    it('go to the caller at once, and not to the host', async () => {
      const { cursor, doorbells } = await wait();
      expect(doorbells).to.deep.equal([]);
      await mail();
      expect(await bell()).to.equal(undefined);
      const told = await wait(cursor);
      expect(told.doorbells[0]).to.deep.include({
        state: 'DOORBELL_STATE_RUNG',
        causes: [{ cause: 'DOORBELL_CAUSE_MAIL', count: 1 }],
      });
      expect((await wait(told.cursor)).doorbells).to.deep.equal([]);
      await mail();
      expect((await wait(told.cursor)).doorbells[0]?.causes?.[0]?.count).to.equal(2);
      expect(await bell()).to.equal(undefined);
    });

    it('go to the host if the caller disconnects or claims nothing', async () => {
      await wait();
      await mail();
      expect(await bell()).to.equal(undefined);
      fixture.clock.pass(3_000);
      await moment('the host is to ring', bell);
      await wait();
      expect(await bell()).to.equal(undefined);
      fixture.clock.pass(30_000);
      await moment('the host is to ring again', bell);
      expect((await row()).doorbellRungAt).to.equal(undefined);
    });

    it('go to the host some time after the last call, or if only a person watches', async () => {
      await wait();
      fixture.clock.pass(20_000);
      await mail();
      expect(await bell()).to.not.equal(undefined);
      await take();
      await wait('', 'person', agent.id);
      await mail();
      expect((await wait('', 'person', agent.id)).doorbells[0]?.state).to.equal('DOORBELL_STATE_RAISED');
      expect(await bell()).to.not.equal(undefined);
    });

    it('reach a caller that begins to wait later', async () => {
      await mail();
      expect((await wait()).doorbells).to.have.length(1);
      expect(await bell()).to.equal(undefined);
      await claim();
      expect((await wait()).doorbells).to.deep.equal([]);
    });
  });

  it('are dropped on archiving, and raised again for a restored agent with mail', async () => {
    await mail();
    await rung();
    await fixture.call('ArchiveAgent', { agentId: agent.id });
    expect(await kinds()).to.deep.equal(['doorbell.dropped', 'doorbell.rung', 'doorbell.raised']);
    await fixture.host.tell(agent.id, { type: 'PANE_CLOSED' });
    await fixture.call('RestoreAgent', { agentId: agent.id });
    expect((await bell())?.causes).to.deep.equal({ DOORBELL_CAUSE_MAIL: 1 });
  });

  it('are rung again for an agent whose CLI ended before the claim', async () => {
    await mail();
    await rung();
    await fixture.host.tell(agent.id, { type: 'PANE_GONE', reason: 'ended', briefed: true });
    expect(await bell()).to.equal(undefined);
    await fixture.call('RestoreAgent', { agentId: agent.id });
    expect((await bell())?.causes).to.deep.equal({ DOORBELL_CAUSE_MAIL: 1 });
  });

  it('are deleted with their agent', async () => {
    await mail();
    await fixture.call('DeleteAgent', { agentId: agent.id });
    await fixture.host.tell(agent.id, { type: 'PANE_CLOSED' });
    expect(await kinds()).to.deep.equal(['doorbell.dropped', 'doorbell.raised']);
  });
});
