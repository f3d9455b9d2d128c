import { expect } from 'chai';
import { RestartIntensity } from '#actors/restart-intensity.ts';
import { testClock } from '#test/support/test-clock.ts';

describe('the restart intensity', () => {
  it('limits restarts within a period, for each child separately', () => {
    const clock = testClock();
    const intensity = new RestartIntensity(clock, 2, 1_000);
    expect([intensity.allows('a'), intensity.allows('a'), intensity.allows('a')]).to.deep.equal([true, true, false]);
    expect(intensity.allows('b')).to.equal(true);
    clock.pass(1_000);
    expect(intensity.allows('a')).to.equal(true);
  });
});
