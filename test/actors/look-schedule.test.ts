import { setImmediate as soon } from 'node:timers/promises';
import { expect } from 'chai';
import { LookSchedule } from '#actors/host/look-schedule.ts';
import type { Timer } from '#world/timer.ts';

describe('the schedule of looks at panes', () => {
  let now: number;
  let sleepers: { readonly due: number; readonly wake: () => void }[];
  let looks: string[];
  let ends: (() => void)[];
  let again: number | undefined;
  let schedule: LookSchedule;

  const clock: Timer = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleepers.push({ due: now + ms, wake: resolve });
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  };

  beforeEach(() => {
    now = 0;
    sleepers = [];
    looks = [];
    ends = [];
    again = undefined;
    schedule = new LookSchedule(clock, async (paneId) => {
      looks.push(`${paneId} at ${now}`);
      await new Promise<void>((resolve) => ends.push(resolve));
      return again;
    });
  });
  afterEach(() => schedule.stop());

  async function pass(milliseconds: number): Promise<void> {
    now += milliseconds;
    const due = sleepers.filter((sleeper) => sleeper.due <= now);
    sleepers = sleepers.filter((sleeper) => sleeper.due > now);
    for (const { wake } of due) wake();
    await soon();
  }

  async function end(): Promise<void> {
    ends.shift()?.();
    await soon();
  }

  it('looks once for all that was asked until then, each pane for itself', async () => {
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

  it('looks earlier where that is asked for', async () => {
    schedule.ask('%1', 200);
    await pass(100);
    schedule.ask('%1', 50);
    await soon();
    await pass(50);
    expect(looks).to.deep.equal(['%1 at 150']);
  });

  it('looks again after a look that was under way when it was asked', async () => {
    schedule.ask('%1', 0);
    await pass(0);
    schedule.ask('%1', 50);
    await pass(10);
    expect(looks).to.have.length(1);
    await end();
    await pass(40);
    expect(looks).to.deep.equal(['%1 at 0', '%1 at 50']);
  });

  it('looks again where a look wants it', async () => {
    again = 200;
    schedule.ask('%1', 0);
    await pass(0);
    await end();
    await pass(199);
    expect(looks).to.have.length(1);
    await pass(1);
    expect(looks).to.deep.equal(['%1 at 0', '%1 at 200']);
  });

  it('looks no more once it is stopped', async () => {
    schedule.ask('%1', 50);
    schedule.stop();
    schedule.ask('%2', 0);
    await pass(50);
    expect(looks).to.deep.equal([]);
  });
});
