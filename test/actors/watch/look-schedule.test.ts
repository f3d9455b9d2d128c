import { setImmediate as soon } from 'node:timers/promises';
import { expect } from 'chai';
import { ObservationSchedule } from '#actors/host/watch/observation-schedule.ts';
import { type TestTimer, testTimer } from '#test/support/test-timer.ts';

describe('the observation schedule', () => {
  let clock: TestTimer;
  let start: number;
  let looks: string[];
  let ends: (() => void)[];
  let again: number | undefined;
  let schedule: ObservationSchedule;

  beforeEach(() => {
    clock = testTimer();
    start = clock.now();
    looks = [];
    ends = [];
    again = undefined;
    schedule = new ObservationSchedule(clock, async (paneId) => {
      looks.push(`${paneId} at ${clock.now() - start}`);
      await new Promise<void>((resolve) => ends.push(resolve));
      return again;
    });
  });
  afterEach(() => schedule.stop());

  const pass = (milliseconds: number): Promise<void> => clock.pass(milliseconds);

  async function end(): Promise<void> {
    ends.shift()?.();
    await soon();
  }

  it('captures once for all pending requests, for each pane separately', async () => {
    schedule.ask('%1', 50);
    schedule.ask('%1', 60);
    schedule.ask('%2', 0);
    await pass(0);
    expect(looks).to.deep.equal(['%2 at 0']);
    await pass(50);
    expect(looks).to.deep.equal(['%2 at 0', '%1 at 50']);
    await end();
    await end();
    await pass(100);
    expect(looks).to.have.length(2);
  });

  it('observes earlier on request', async () => {
    schedule.ask('%1', 200);
    await pass(100);
    schedule.ask('%1', 50);
    await soon();
    await pass(50);
    expect(looks).to.deep.equal(['%1 at 150']);
  });

  it('observes again after a request during an observation', async () => {
    schedule.ask('%1', 0);
    await pass(0);
    schedule.ask('%1', 50);
    await pass(10);
    expect(looks).to.have.length(1);
    await end();
    await pass(40);
    expect(looks).to.deep.equal(['%1 at 0', '%1 at 50']);
  });

  it('captures again if a capture requests it', async () => {
    again = 200;
    schedule.ask('%1', 0);
    await pass(0);
    await end();
    await pass(199);
    expect(looks).to.have.length(1);
    await pass(1);
    expect(looks).to.deep.equal(['%1 at 0', '%1 at 200']);
  });

  it('observes nothing after it is stopped', async () => {
    schedule.ask('%1', 50);
    schedule.stop();
    schedule.ask('%2', 0);
    await pass(50);
    expect(looks).to.deep.equal([]);
  });
});
