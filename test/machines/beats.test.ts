import { expect } from 'chai';
import { beatEvery, maxSilence } from '#machines/host/beats.ts';

describe('beats of hosts', () => {
  it('come every 5 s, and at most 50 a second in all', () => {
    expect([1, 100, 250].map(beatEvery)).to.deep.equal([5_000, 5_000, 5_000]);
    for (const hosts of [251, 500, 1_000, 10_000]) expect(hosts / (beatEvery(hosts) / 1_000)).to.be.closeTo(50, 1e-9);
  });

  it('may stop for 30 s, or three in a row if they come less often', () => {
    expect([1, 250, 500].map(maxSilence)).to.deep.equal([30_000, 30_000, 30_000]);
    expect(maxSilence(1_000)).to.equal(3 * beatEvery(1_000));
  });
});
