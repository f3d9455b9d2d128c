import { expect } from 'chai';
import { QuietSpan } from '#actors/worker/quiet-span.ts';

describe('checks for due rows', () => {
  /** A database that says when something is due, and counts its queries. */
  function stage(sharedTime?: () => Promise<never>) {
    const store = { writes: 0, sharedTime };
    const time = { now: 1_000 };
    const due: { at: number | undefined } = { at: undefined };
    let looks = 0;
    const quiet = new QuietSpan({ store, clock: { now: () => time.now } });
    const isOver = () =>
      quiet.isOver(async () => {
        looks += 1;
        return due.at;
      });
    return { store, time, due, isOver, looks: () => looks };
  }

  it('happen when the next row is due, and not before', async () => {
    const { time, due, isOver, looks } = stage();
    due.at = 1_400;
    expect(await isOver()).to.equal(false);
    time.now = 1_399;
    expect(await isOver()).to.equal(false);
    expect(looks()).to.equal(1);
    time.now = 1_400;
    expect(await isOver()).to.equal(true);
    expect(await isOver(), 'until it is done').to.equal(true);
  });

  it('happen after each write', async () => {
    const { store, due, isOver } = stage();
    expect(await isOver()).to.equal(false);
    due.at = 1_000;
    expect(await isOver()).to.equal(false);
    store.writes += 1;
    expect(await isOver()).to.equal(true);
  });

  it('happen after a write that committed during a check', async () => {
    const store = { writes: 0, sharedTime: undefined };
    const quiet = new QuietSpan({ store, clock: { now: () => 1_000 } });
    const duringWrite = async () => {
      store.writes += 1;
      return undefined;
    };
    expect(await quiet.isOver(duringWrite)).to.equal(false);
    expect(await quiet.isOver(async () => 1_000)).to.equal(true);
  });

  it('happen after 5 s at the latest, and after 1 s if other processes write', async () => {
    for (const [shared, longest] of [
      [undefined, 5_000],
      [() => Promise.reject(new Error()), 1_000],
    ] as const) {
      const { time, due, isOver } = stage(shared);
      expect(await isOver()).to.equal(false);
      due.at = 0;
      time.now = 1_000 + longest - 1;
      expect(await isOver()).to.equal(false);
      time.now += 1;
      expect(await isOver()).to.equal(true);
    }
  });

  it('happen after the clock was set back', async () => {
    const { time, due, isOver } = stage();
    expect(await isOver()).to.equal(false);
    due.at = 0;
    time.now = 10;
    expect(await isOver()).to.equal(true);
  });
});
