import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { inSoak } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';
import type { CheckoutFolder } from '#world/git/repository/git-directory.ts';
import { findGitDirectory } from '#world/git/repository/git-directory.ts';
import { cutRound } from '#world/git/review/round.ts';
import { reviewStatuses } from '#world/git/review/standing.ts';
import { GitFixture } from '../git-fixture.ts';
import { standingCases } from './standing-cases.ts';
import { type Beginnings, StandingScene, standingTemplate, withLines } from './standing-scene.ts';

describe('git/review/standing', () => {
  const beginnings: Beginnings = new Map();
  let fixture: GitFixture;
  before(() => {
    fixture = new GitFixture();
    standingTemplate(fixture);
  });
  after(() => fixture.dispose());

  for (const [place, { what, play, want }] of someOf([...standingCases.entries()], 1, 5)) {
    it(`is ${want} for ${what}`, async () => {
      const scene = new StandingScene(fixture, `scene-${place}`, beginnings);
      await play(scene);
      expect(await scene.standing()).to.equal(want);
      // The result about the base is cached, and must be the same.
      if (place % 11 === 0) expect(await scene.standing()).to.equal(want);
    });
  }

  inSoak('finds the commit that held a round also if its line was written again thirty times since', async () => {
    const scene = new StandingScene(fixture, 'scene-deep', beginnings);
    (await scene.round()).squash();
    for (let later = 0; later < 30; later += 1) {
      scene.write('base/a.txt', withLines({ 3: `later ${later}\n` }));
      scene.base('commit', '-qam', 'later');
    }
    expect(await scene.fetch().standing()).to.equal('LANDED');
  });

  it('is UNSPECIFIED, with the worktree’s change, if the round’s base is gone', async () => {
    const fixed = new GitFixture();
    fixed.repository('r', { a: 'a\n' });
    fixed.git('r', 'branch', 'topic');
    fixed.git('r', 'switch', '-q', '-c', 'work');
    fixed.write('r/a', 'b\n');
    const at = (await findGitDirectory(fixed.path('r'))) as CheckoutFolder;
    const round = await cutRound(at, { base: 'topic', ref: 'refs/muster/rounds/agt_1/1', settled: false });
    fixed.git('r', 'branch', '-D', 'topic');
    fixed.write('r/a', 'c\n');
    const { snapshotSha } = round;
    const { tips, standings } = await reviewStatuses(at, { base: 'topic', rounds: [round] }, new Map());
    expect({ tips, standings }).to.deep.equal({
      tips: [],
      standings: [{ snapshotSha, standing: 'UNSPECIFIED', moved: true }],
    });
    const again = () => cutRound(at, { base: 'topic', ref: 'refs/muster/rounds/agt_1/2', settled: false });
    expect((await failureOf(again)).message).to.contain('topic');
    fixed.dispose();
  });

  it('covers the 46 scenarios', () => {
    expect(standingCases).to.have.length(46);
  });
});
