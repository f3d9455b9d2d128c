import { expect } from 'chai';
import { withinTime } from '#world/time-limit.ts';

describe('work with a time limit', () => {
  it('gives what it comes to', () => {
    expect(withinTime(1_000, () => 'done')).to.equal('done');
    expect(withinTime(1_000, () => withinTime(1_000, () => 1))).to.equal(1);
  });

  it('is cut short, also within one regular expression', () => {
    const start = performance.now();
    const slow = /^(?:a+)+$/;
    expect(withinTime(50, () => slow.test(`${'a'.repeat(60)}!`))).to.equal(undefined);
    expect(performance.now() - start).to.be.below(5_000);
    expect(withinTime(1_000, () => 'after')).to.equal('after');
  });

  it('throws what it throws', () => {
    expect(() =>
      withinTime(1_000, () => {
        throw new TypeError('no');
      }),
    ).to.throw(TypeError, 'no');
  });
});
