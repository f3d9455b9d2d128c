import { expect } from 'chai';
import { HostMeasures } from '#actors/host/agent/measures.ts';
import { Roster } from '#actors/host/agent/roster.ts';
import { Heartbeat } from '#actors/host/heartbeat.ts';
import type { FoundTerminals } from '#actors/host/watch/found-terminals.ts';
import type { Bus } from '#bus/bus.ts';
import { calmMachine } from '#test/support/calm-machine.ts';
import { failureOf, refusalWith } from '#test/support/failure.ts';

describe('the beats of a host', () => {
  let now: number;
  let isAway: boolean;
  let nextMs: number;
  let heartbeat: Heartbeat;
  beforeEach(() => {
    [now, isAway, nextMs] = [0, false, 5_000];
    heartbeat = new Heartbeat(
      {
        clock: { now: () => now },
        id: 'hst_1',
        name: 'here',
        found: () => [],
        onConfirmed: async () => undefined,
        condition: calmMachine,
        bus: { figures: {} } as Bus,
        registry: {
          beat: async () => {
            if (isAway) throw refusalWith('unavailable', 'nobody answers');
            return { confirmed: {}, nextMs };
          },
        },
      },
      { actors: new Roster(), measures: new HostMeasures(), terminals: { families: [] } as unknown as FoundTerminals },
    );
  });
  afterEach(() => heartbeat.stop());

  it('report the first accepted one after a silence, so that refused work is repeated', async () => {
    expect(await heartbeat.beat(), 'the first').to.equal(false);
    now += 5_000;
    expect(await heartbeat.beat(), 'in time').to.equal(false);
    isAway = true;
    now += 5_000;
    await failureOf(() => heartbeat.beat());
    now += 26_000;
    await failureOf(() => heartbeat.beat());
    isAway = false;
    expect(await heartbeat.beat(), 'after 31 s').to.equal(true);
    now += 5_000;
    expect(await heartbeat.beat(), 'in time again').to.equal(false);
  });

  it('are not late in a large installation, where hosts beat less often', async () => {
    nextMs = 20_000;
    await heartbeat.beat();
    now += 31_000;
    expect(await heartbeat.beat()).to.equal(false);
  });
});
