import { expect } from 'chai';
import { storm } from './schedule-storm.ts';

describe('schedules under faults', function () {
  this.timeout(300_000);

  it('fire each occurrence once, with two schedulers that are killed and whose writes fail', async () => {
    const pace = 600;
    const aftermath = await storm({ schedules: 20, minutes: 60, killEvery: 700, failing: 50, pace });
    expect(aftermath).to.include({ expected: 1_200, found: 1_200, missing: 0, doubled: 0 });
    expect(aftermath.kills).to.be.greaterThan(2);
  });
});
