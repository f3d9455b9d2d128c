import { expect } from 'chai';
import { GitFixture } from '../git-fixture.ts';
import { standingCases } from './standing-cases.ts';
import { StandingScene, standingTemplate, withLines } from './standing-scene.ts';

describe('git/review/standing', function () {
  this.timeout(60_000);
  let fixture: GitFixture;
  before(() => {
    fixture = new GitFixture();
    standingTemplate(fixture);
  });
  after(() => fixture.dispose());

  for (const [place, { what, play, want }] of standingCases.entries()) {
    it(`says ${want} of ${what}`, async () => {
      const scene = new StandingScene(fixture, `scene-${place}`);
      await play(scene);
      expect(await scene.standing()).to.equal(want);
      // What was found out about the base is remembered, and must be no other answer.
      if (place % 11 === 0) expect(await scene.standing()).to.equal(want);
    });
  }

  it('finds the commit that held a round also where its line was written anew thirty times since', async () => {
    const scene = new StandingScene(fixture, 'scene-deep');
    (await scene.edit().commit().cut()).squash();
    for (let later = 0; later < 30; later += 1) {
      scene.write('base/a.txt', withLines({ 3: `later ${later}\n` }));
      scene.base('commit', '-qam', 'later');
    }
    expect(await scene.fetch().standing()).to.equal('LANDED');
  });

  it('has the 44 scenarios', () => {
    expect(standingCases).to.have.length(44);
  });
});
