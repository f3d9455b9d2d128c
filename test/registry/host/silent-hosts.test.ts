import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Host } from '#contract/host/host.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('a silent host', () => {
  let fixture: RegistryFixture;
  beforeEach(async () => {
    fixture = await registryFixture({
      hostDefaults: { patienceMs: 300_000, maxLaunches: 16, maxSetups: 4, minDiskFreeMib: 1_024 },
    });
  });
  afterEach(() => fixture.close());

  const host = async () => (await fixture.call<{ hosts: Host[] }>('ListHosts')).hosts[0] ?? {};
  const becomes = (state: string) =>
    moment(`it is ${state}`, async () => (await host()).state === `HOST_STATE_${state}`);
  const show = async (agentId: string) =>
    (await fixture.call<{ agent: AgentRow }>('GetAgent', { agentId })).agent.agent as Agent;
  const kinds = async () => {
    const { facts } = await fixture.call<{ facts: { kind: string; detail: string }[] }>('ListFacts', {
      subjectId: 'hst_1',
    });
    return facts
      .map(({ kind, detail }) => (JSON.parse(detail).wasLost === true ? `${kind} (was lost)` : kind))
      .reverse();
  };
  const giveUp = (agentId: string) => fixture.call('DeleteAgent', { agentId, abandon: true });
  const patience = (patienceSeconds: number) => fixture.call('UpdateHost', { hostId: 'hst_1', patienceSeconds });
  const began = '2026-11-21T09:00:00.000Z';

  it('counts as silent after 30 s, shows no live state, and is lost after its limit', async () => {
    const { id } = await fixture.create({ provisionEnabled: false });
    await fixture.host.bringUp(id);
    const launching = await fixture.create({ provisionEnabled: false });
    fixture.clock.pass(31_000);
    await becomes('SILENT');
    expect(await host()).to.include({ seenAt: began, stateSince: began });
    expect((await host()).faults?.join()).to.match(/^online: it is silent, last seen .*; start `muster host` on it/);
    expect(await show(id)).to.deep.include({ state: 'AGENT_STATE_THINKING', lastKnownAt: began });
    expect((await show(id)).alive).to.equal(undefined);
    expect((await show(launching.id)).stateReason).to.equal(
      `waits for host hst_1.example, which has been silent since ${began}`,
    );
    // It gets no requests and no agents, and is not given up yet.
    expect(
      (await failureOf(() => fixture.call('PromptAgent', { agentId: id, prompt: 'go' }))).isFor('HOST_LOST'),
    ).to.equal(true);
    expect((await failureOf(() => fixture.create())).isFor('NO_HOST_AVAILABLE')).to.equal(true);
    expect((await failureOf(() => giveUp(id))).isFor('HOST_STILL_HEARD')).to.equal(true);
    expect((await failureOf(() => fixture.call('ForgetHost', { hostId: 'hst_1' }))).isFor('HOST_IN_USE')).to.equal(
      true,
    );
    fixture.clock.pass(268_000);
    await fixture.restart();
    expect((await host()).state).to.equal('HOST_STATE_SILENT');
    // Registries that start alone give every host a minute to return.
    fixture.clock.pass(61_000);
    await becomes('LOST');
    await giveUp(launching.id);
    await fixture.host.beat();
    expect(await host()).to.include({ state: 'HOST_STATE_ONLINE' });
    expect(await show(id))
      .to.include({ alive: true })
      .and.not.to.have.property('lastKnownAt');
    expect(await kinds()).to.deep.equal(['host.seen', 'host.silent', 'host.lost', 'host.seen (was lost)']);
  });

  it('gets nothing with which to type or start something before its next beat', async () => {
    const { id } = await fixture.create({ provisionEnabled: false });
    await fixture.host.bringUp(id);
    fixture.clock.pass(31_000);
    await becomes('SILENT');
    const { registry } = fixture.host;
    const run = { agentId: id, epoch: 1, effect: `${id}/1/0`, script: 'RUN_SCRIPT_ON_IDLE' } as const;
    const asked = [
      () => registry.load(id, { acts: true }),
      () => registry.token(id, 1, 'script'),
      () => registry.permit('any'),
      () => registry.run(run),
    ];
    for (const ask of asked) {
      const refused = await failureOf(ask as () => Promise<unknown>);
      expect([refused.code, refused.message], String(ask)).to.deep.equal([
        'unavailable',
        'Host hst_1 counts as silent, so it may start nothing: send a beat first',
      ]);
    }
    await fixture.host.beat();
    expect((await registry.load(id, { acts: true })).id).to.equal(id);
    expect(await registry.token(id, 1, 'script')).to.be.a('string');
  });

  it('returns without a notice, and its launch continues', async () => {
    const { id } = await fixture.create({ provisionEnabled: false });
    fixture.clock.pass(120_000);
    await becomes('SILENT');
    await fixture.host.beat();
    expect(await kinds()).to.deep.equal(['host.seen', 'host.silent', 'host.seen']);
    expect((await show(id)).stateReason).to.equal('');
    await fixture.host.bringUp(id);
  });

  it('has a limit that a person may change, and is lost at once if it has passed', async () => {
    await patience(14_400);
    fixture.clock.pass(31_000);
    await becomes('SILENT');
    fixture.clock.pass(14_300_000);
    await fixture.store.read(async () => undefined);
    await moment('its deadline is put off', () =>
      fixture.store.read(async ({ deadlines }) => (await deadlines.due(2_000)).every(({ owner }) => owner !== 'host')),
    );
    expect((await host()).state).to.equal('HOST_STATE_SILENT');
    await patience(3_600);
    await becomes('LOST');
  });
});
