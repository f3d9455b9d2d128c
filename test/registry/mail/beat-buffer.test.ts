import { expect } from 'chai';
import { BeatBuffer } from '#actors/registry/host/beat/beat-buffer.ts';
import { followSilence } from '#actors/registry/host/beat/host-beat.ts';
import { hostKind } from '#actors/registry/host/host-kind.ts';
import { hostDefaults } from '#actors/registry/host/settings/host-limits.ts';
import { beginInstance } from '#actors/registry/kernel/instance.ts';
import { WorkFigures } from '#actors/worker/work-figures.ts';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { Host } from '#contract/host/host.ts';
import { silent } from '#test/actors/actor-fixture.ts';
import { calmMachine } from '#test/support/calm-machine.ts';
import { moment } from '#test/support/moment.ts';
import { noPeers } from '#test/support/no-peers.ts';
import { testIds } from '#test/support/test-clock.ts';
import { testTimer } from '#test/support/test-timer.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('unchanged beats', () => {
  let fixture: RegistryFixture;

  beforeEach(async () => {
    // Each registry counts its own writes.
    fixture = await registryFixture({ registries: 1 });
    fixture.host.condition = await calmMachine();
    await fixture.host.beat();
    // What the start still has to write is counted by none of the tests.
    let [written, quietLooks] = [0, 0];
    await moment('the start has written all', () => {
      quietLooks = fixture.store.writes === written ? quietLooks + 1 : 0;
      written = fixture.store.writes;
      return quietLooks >= 10;
    });
  });
  afterEach(() => fixture.close());

  const seen = async () => (await fixture.call<{ hosts: Host[] }>('ListHosts')).hosts[0] ?? {};
  const row = () => fixture.store.read(({ hosts }) => hosts.find('hst_1'));

  /** Once no host's deadline is over. */
  const settled = () =>
    moment('no deadline of a host is over', () =>
      fixture.store.read(async ({ deadlines }) => (await deadlines.due(2_000)).every(({ owner }) => owner !== 'host')),
    );

  it('are shown at once, and written together, and once when the registry stops', async () => {
    const before = fixture.store.writes;
    for (let beats = 0; beats < 20; beats += 1) {
      fixture.clock.pass(100);
      await fixture.host.beat();
    }
    expect(fixture.store.writes).to.equal(before);
    const shown = (await seen()).seenAt;
    expect(Date.parse(shown ?? '')).to.equal(fixture.clock.now());
    expect((await row())?.seenAt).to.be.lessThan(fixture.clock.now());
    await fixture.restart();
    expect((await row())?.seenAt).to.equal(fixture.clock.now());
    expect((await seen()).seenAt).to.equal(shown);
  });

  it('postpone silence from their arrival, not from their write', async () => {
    const { clock, store } = fixture;
    const work = { timer: testTimer(), log: silent, work: new WorkFigures() };
    const buffer = new BeatBuffer({ ...work, store, hints: noPeers }, ['hst_1']);
    const seenAt = clock.now();
    buffer.note('hst_1', { seenAt, condition: null, foundTerminals: [] });
    clock.pass(9_000);
    await buffer.stop();
    const [due] = await store.read(({ deadlines }) => deadlines.of({ owner: 'host', ownerId: 'hst_1' }));
    expect(due?.dueAt).to.equal(seenAt + 30_000);
  });

  it('restore a host whose loss is being written', async () => {
    const { clock, host, store } = fixture;
    clock.pass(31_000);
    let beat = Promise.resolve();
    await store.write(async (tables) => {
      const nobody = { ids: testIds(), completions: [], consequences: [], isWaiting: () => false, ring: () => {} };
      await followSilence(
        { beatBuffer: { freshen: (row) => row, maxSilence: 30_000, lose: () => {} }, clock, hostDefaults },
        { ...nobody, tables, now: clock.now() },
        'hst_1',
      );
      beat = host.beat();
      // Once these are answered, the beat has arrived.
      for (const _ of [1, 2]) await seen();
    });
    await beat;
    expect((await seen()).state).to.equal('HOST_STATE_ONLINE');
  });

  it('are less frequent in a large installation, with a longer allowed silence', async () => {
    await fixture.host.beat();
    expect(fixture.host.nextMs).to.equal(5_000);
    const some = await row();
    if (some === undefined) throw new Error('there is no host');
    const { snapshot: _, ...columns } = some;
    await fixture.store.write(async (tables) => {
      for (let at = 2; at <= 1_000; at += 1) {
        const [id, name] = [`hst_${at}`, `host ${at}`];
        const rowFrom = (snapshot: StoredSnapshot) => ({ ...columns, id, name, key: null, snapshot });
        await beginInstance({ tables, now: fixture.clock.now() }, hostKind, { name, harnesses: [] }, rowFrom);
      }
    });
    await fixture.restart();
    await fixture.host.beat();
    expect(fixture.host.nextMs).to.equal(20_000);
    fixture.clock.pass(59_000);
    await settled();
    expect(await seen()).to.have.property('state', 'HOST_STATE_ONLINE');
    fixture.clock.pass(2_000);
    await moment('its silence counts', async () => (await seen()).state === 'HOST_STATE_LOST');
  });

  it('have a grace period after a start, when all hosts return at once', async () => {
    await fixture.restart();
    fixture.clock.pass(59_000);
    await settled();
    expect(await seen()).to.have.property('state', 'HOST_STATE_ONLINE');
    fixture.clock.pass(2_000);
    await moment('its silence counts', async () => (await seen()).state === 'HOST_STATE_LOST');
  });

  it('keep a host online for 30 s before they are written', async () => {
    fixture.clock.pass(29_000);
    await fixture.host.beat();
    fixture.clock.pass(2_000);
    // The written deadline has passed: it is checked, and postponed.
    await moment('the deadline is put off', async () =>
      fixture.store.read(async ({ deadlines }) => (await deadlines.due(10)).every(({ owner }) => owner !== 'host')),
    );
    expect(await seen()).to.have.property('state', 'HOST_STATE_ONLINE');
    fixture.clock.pass(28_500);
    await moment('its silence counts', async () => (await seen()).state === 'HOST_STATE_LOST');
    expect(Date.parse((await seen()).seenAt ?? '')).to.equal(fixture.clock.now() - 30_500);
    await fixture.host.beat();
    expect(await seen()).to.have.property('state', 'HOST_STATE_ONLINE');
  });

  it('are counted separately from changed ones', async () => {
    const before = fixture.store.writes;
    fixture.host.harnesses = ['claude'];
    await fixture.host.beat();
    expect(fixture.store.writes).to.equal(before + 1);
    expect((await seen()).harnesses).to.deep.equal(['claude']);
  });
});
