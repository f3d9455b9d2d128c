import { expect } from 'chai';
import { GitFixture } from '../git-fixture.ts';
import { standingCases } from './standing-cases.ts';
import { StandingScene, standingTemplate } from './standing-scene.ts';

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

  it('has the 44 scenarios', () => {
    expect(standingCases).to.have.length(44);
  });
});
