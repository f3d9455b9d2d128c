import { expect } from 'chai';
import { SharedClock } from '#actors/registry/peer/shared-clock.ts';
import { testClock } from '#test/support/test-clock.ts';

describe('the clock of a database that registries share', () => {
  it('shows the machine’s time until it is measured, then the database’s', async () => {
    const own = testClock();
    const clock = new SharedClock(own);
    expect(clock.now()).to.equal(own.now());
    await clock.measure(async () => ({ now: 1_000, steps: 0 }));
    expect(clock.now()).to.equal(1_000);
    own.pass(500);
    expect(clock.now()).to.equal(1_500);
    own.step(3_600_000);
    expect(clock.now()).to.equal(1_500);
  });

  it('reads the database at most every 400 ms', async () => {
    const own = testClock();
    const clock = new SharedClock(own);
    let asked = 0;
    const read = async () => {
      asked += 1;
      return { now: 5_000, steps: 60_000 };
    };
    await clock.measure(read);
    own.pass(399);
    await clock.measure(read);
    expect(asked).to.equal(1);
    own.pass(1);
    await clock.measure(read);
    expect({ asked, now: clock.now(), steps: clock.steps }).to.deep.equal({ asked: 2, now: 5_000, steps: 60_000 });
  });

  it('uses the middle of request and answer, and no slow answer', async () => {
    const own = testClock();
    const clock = new SharedClock(own);
    const answerAfter = (ms: number, time: number) => async () => {
      own.pass(ms);
      return { now: time, steps: 0 };
    };
    await clock.measure(answerAfter(200, 10_000));
    expect(clock.now()).to.equal(10_100);
    own.pass(400);
    await clock.measure(answerAfter(501, 99_000));
    expect(clock.now()).to.equal(10_100 + 901);
  });
});
