import { expect } from 'chai';
import { hourOfFleet, quietSweeps } from './sweep-cost.ts';

describe('what sweeps ask of a forge', function () {
  this.timeout(120_000);

  for (const kind of ['github', 'gitlab'] as const) {
    it(`is at most two requests of a quiet repository with 500 open pull requests on ${kind}`, async () => {
      const costs = new Map((await quietSweeps(kind, 500)).map((cost) => [cost.name, cost]));
      expect(costs.get('quiet')?.requests).to.be.within(1, 2);
      expect(costs.get('quiet')?.bytesGot).to.be.below(20_000);
      expect(
        costs.get('first')?.requests,
        'five pages, whether anything is new before and after, and the branch',
      ).to.be.most(8);
      expect(costs.get('whole, each half hour')?.requests).to.be.most(8);
    });
  }

  for (const [kind, first] of [
    ['gitea', 30],
    // Its listing holds only the beginnings of commits' names.
    ['bitbucket', 600],
  ] as const) {
    it(`is a few requests of a quiet one on ${kind}, which must be asked for each pull request of an agent`, async () => {
      const costs = new Map((await quietSweeps(kind, 500)).map((cost) => [cost.name, cost]));
      expect(costs.get('quiet')?.requests).to.be.most(5);
      expect(costs.get('first')?.requests).to.be.most(first);
    });
  }

  it('is well below what GitHub allows for 50 repositories, each with an agent at work', async () => {
    const minutes = 6;
    const { points, sweeps, longestGapMs } = await hourOfFleet(50, 5, minutes);
    // The first sweeps of all come on top of what continues.
    const hourly = (points - 50 * 3) * (60 / minutes);
    expect(hourly).to.be.below(0.75 * 5_000);
    expect(sweeps).to.be.above(50 * 3);
    expect(longestGapMs).to.be.below(3 * 60_000);
  });
});
