import { expect } from 'chai';
import { hourOfFleet, quietSweeps } from './sweep-cost.ts';

describe('the requests of sweeps', () => {
  for (const kind of ['github', 'gitlab'] as const) {
    it(`are at most two for a quiet repository with 500 open pull requests on ${kind}`, async () => {
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
    it(`are few for a quiet one on ${kind}, which needs one for each agent’s pull request`, async () => {
      const costs = new Map((await quietSweeps(kind, 500)).map((cost) => [cost.name, cost]));
      expect(costs.get('quiet')?.requests).to.be.most(5);
      expect(costs.get('first')?.requests).to.be.most(first);
    });
  }

  it('stay well below GitHub’s quota for 50 repositories, each with an agent at work', async () => {
    const minutes = 6;
    const { points, sweeps, longestGapMs } = await hourOfFleet(50, 5, minutes);
    // The first sweeps of all come on top of what continues.
    const hourly = (points - 50 * 3) * (60 / minutes);
    expect(hourly).to.be.below(0.75 * 5_000);
    expect(sweeps).to.be.above(50 * 3);
    expect(longestGapMs).to.be.below(3 * 60_000);
  });
});
