import { expect } from 'chai';
import { TimeLimit, withinTime } from '#world/concurrency/time-limit.ts';

describe('work with a time limit', () => {
  it('returns its result', () => {
    expect(withinTime(1_000, () => 'done')).to.equal('done');
    expect(withinTime(1_000, () => withinTime(1_000, () => 1))).to.equal(1);
  });

  it('is aborted, also within one regular expression', () => {
    const start = performance.now();
    const slow = /^(?:a+)+$/;
    expect(withinTime(50, () => slow.test(`${'a'.repeat(60)}!`))).to.equal(undefined);
    expect(performance.now() - start).to.be.below(5_000);
    expect(withinTime(1_000, () => 'after')).to.equal('after');
  });

  it('throws its error', () => {
    expect(() =>
      withinTime(1_000, () => {
        throw new TypeError('no');
      }),
    ).to.throw(TypeError, 'no');
  });
});

describe('a time limit for batched work', () => {
  const hopeless = (): boolean => /^(?:a+)+$/.test(`${'a'.repeat(60)}!`);
  /** Blocks for this many milliseconds. */
  const busy = (milliseconds: number) => (): number => {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
    return milliseconds;
  };

  it('returns each result, and throws each error', async () => {
    const limit = new TimeLimit(1_000);
    const failing = limit.within(() => {
      throw new TypeError('no');
    });
    const [one, error, three] = await Promise.allSettled([limit.within(() => 1), failing, limit.within(() => 3)]);
    expect([one, three]).to.deep.equal([1, 3].map((value) => ({ status: 'fulfilled', value })));
    expect(error.status === 'rejected' && error.reason).to.be.instanceOf(TypeError);
    expect(await limit.within(() => 'later')).to.equal('later');
  });

  it('aborts slow pieces only', async () => {
    const limit = new TimeLimit(100);
    const pieces = [() => 'before', hopeless, () => 'between', hopeless, () => 'after'];
    const done = await Promise.all(pieces.map((piece) => limit.within<unknown>(piece)));
    expect(done).to.deep.equal(['before', undefined, 'between', undefined, 'after']);
  });

  it('gives each piece the full time', async () => {
    const limit = new TimeLimit(300);
    const done = await Promise.all([150, 200, 250, 10].map((milliseconds) => limit.within(busy(milliseconds))));
    expect(done).to.deep.equal([150, 200, 250, 10]);
  });
});
