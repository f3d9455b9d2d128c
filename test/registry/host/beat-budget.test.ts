import { expect } from 'chai';
import { BeatBuffer } from '#actors/registry/host/beat/beat-buffer.ts';
import { PeerHints } from '#actors/registry/peer/peer-hints.ts';
import { WorkFigures } from '#actors/worker/work-figures.ts';
import type { Store } from '#store/store.ts';
import { natsFixture } from '#test/bus/nats-fixture.ts';
import { saveHost } from '#test/store/store-fixture.ts';
import { moment } from '#test/support/moment.ts';
import { steadyTimer } from '#world/concurrency/timer.ts';
import { openLog } from '#world/log.ts';
import { registryFixture } from '../registry-fixture.ts';

const beat = { seenAt: 0, condition: null, foundTerminals: [] };

describe('the budget of beats', () => {
  it('excludes lost hosts', async () => {
    const fixture = await registryFixture();
    try {
      for (let made = 0; made < 300; made += 1) await saveHost(fixture.store, `hst_away_${made}`);
      await fixture.restart();
      await fixture.host.beat();
      expect(fixture.host.nextMs, 'of 301 hosts').to.equal(6_020);
      // Beyond the grace that hosts have after a start of the registry.
      fixture.clock.pass(61_000);
      await moment('the others are lost', async () => {
        await fixture.host.beat();
        return fixture.host.nextMs === 5_000;
      });
    } finally {
      await fixture.close();
    }
  });

  it('is the same at every registry, whichever detects the loss', async () => {
    const nats = await natsFixture();
    const buffers = await Promise.all(
      ['reg-1', 'reg-2'].map(async (instance) => {
        const bus = await nats.join('registry');
        const hints = new PeerHints({ bus, holder: { instance }, isShared: true });
        const write: Store['write'] = () => new Promise(() => {});
        const work = {
          timer: steadyTimer(),
          log: openLog({ name: 'registry', level: 'silent' }),
          work: new WorkFigures(),
        };
        const buffer = new BeatBuffer({ ...work, hints, store: { write } }, ['hst_0']);
        // A hint is lost that is sent before the other one listens.
        await bus.roundTrip();
        return buffer;
      }),
    );
    const every = () => buffers.map(({ beatEvery }) => beatEvery);
    const [one, other] = buffers as [BeatBuffer, BeatBuffer];
    try {
      for (let at = 0; at < 500; at += 1) one.note(`hst_${at}`, beat);
      await moment('both know 500', () => every().every((ms) => ms === 10_000));
      for (let at = 0; at < 200; at += 1) other.lose(`hst_${at}`);
      await moment('both know 300', () => every().every((ms) => ms === 6_000));
    } finally {
      await nats.close();
    }
  });
});
