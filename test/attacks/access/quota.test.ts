import { expect } from 'chai';
import { type RegistryFixture, registryFixture } from '#test/registry/registry-fixture.ts';
import { failureOf } from '#test/support/failure.ts';

describe('the quota of agents’ launches', () => {
  let fixture: RegistryFixture;
  beforeEach(async () => {
    fixture = await registryFixture({
      ceiling: 12,
      launchQuota: { reserved: 4, perMinute: 5, atOnce: 6, archived: 3 },
    });
  });
  afterEach(() => fixture.close());

  const refusal = async (work: () => Promise<unknown>) => (await failureOf(work)).toJSON();
  const launch = (by: string) => fixture.create({ provisionEnabled: false }, { agentId: by });
  const codes = async (results: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(results)).map((one) => (one.status === 'fulfilled' ? 'made' : one.reason.code));

  it('limits an agent and its descendants per minute, also over a restart and in parallel', async () => {
    const first = await fixture.create({ provisionEnabled: false });
    const second = await launch(first.id);
    const many = await codes(Array.from({ length: 10 }, (_, place) => launch(place % 2 ? first.id : second.id)));
    expect(many.filter((code) => code === 'made')).to.have.length(4);
    expect(new Set(many)).to.deep.equal(new Set(['made', 'resource_exhausted']));
    await fixture.restart();
    const { code, message } = await refusal(() => launch(second.id));
    expect(code).to.equal('resource_exhausted');
    expect(message).to.contain('within a minute').and.contain('Stop and tell the person').and.contain('do not retry');
    // Agents that are archived or deleted by now were launched anyway.
    await fixture.call('ArchiveAgent', { agentId: second.id });
    await fixture.host.tell(second.id, { type: 'PANE_CLOSED' });
    expect((await refusal(() => launch(first.id))).message).to.contain('within a minute');
    fixture.clock.pass(60_001);
    await fixture.host.beat();
    await launch(first.id);
  });

  it('limits existing descendants, and an archived one makes room', async () => {
    const first = await fixture.create({ provisionEnabled: false });
    const made: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      made.push((await launch(first.id)).id);
      fixture.clock.pass(60_000);
      await fixture.host.beat();
    }
    expect((await refusal(() => launch(first.id))).message).to.contain('MUSTER_AGENT_LAUNCHES');
    await fixture.call('ArchiveAgent', { agentId: made[0] });
    await fixture.host.tell(made[0] ?? '', { type: 'PANE_CLOSED' });
    await launch(first.id);
  });

  it('limits archived descendants until a person deletes some', async () => {
    const first = await fixture.create({ provisionEnabled: false, role: 'AGENT_ROLE_ORCHESTRATOR' });
    const made: string[] = [];
    const launchAndArchive = async () => {
      const { id } = await launch(first.id);
      made.push(id);
      await fixture.call('ArchiveAgent', { agentId: id }, { agentId: first.id });
      await fixture.host.tell(id, { type: 'PANE_CLOSED' });
      fixture.clock.pass(60_000);
      await fixture.host.beat();
    };
    for (let count = 0; count < 3; count += 1) await launchAndArchive();
    const { code, message } = await refusal(() => launch(first.id));
    expect(code).to.equal('resource_exhausted');
    expect(message)
      .to.contain('3 agents that are archived, of at most 3')
      .and.contain('MUSTER_AGENT_LAUNCHES_ARCHIVED');
    await fixture.create({ provisionEnabled: false });
    await fixture.call('DeleteAgent', { agentId: made[0] });
    await fixture.host.tell(made[0] ?? '', { type: 'PANE_CLOSED' });
    await launch(first.id);
  });

  it('never uses the places reserved for people, however many agents try at once', async () => {
    const roots: { readonly id: string }[] = [];
    for (let count = 0; count < 4; count += 1) roots.push(await fixture.create({ provisionEnabled: false }));
    const tries = await codes(Array.from({ length: 16 }, (_, place) => launch(roots[place % 4]?.id ?? '')));
    expect(tries.filter((code) => code === 'made')).to.have.length(4);
    expect((await refusal(() => launch(roots[0]?.id ?? ''))).message).to.contain('reserved for people');
    for (let count = 0; count < 4; count += 1) await fixture.create({ provisionEnabled: false });
    expect((await refusal(() => fixture.create())).code).to.equal('resource_exhausted');
  });
});
