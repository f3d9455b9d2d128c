import { expect } from 'chai';
import { someOf } from '#test/support/some-of.ts';
import { changeable, outcomesOf } from './mutants/mutants.ts';

// A CLI changes its looks every week. Until the rules follow, a screen may be doubted, and never be taken for rest.

describe('a recorded screen, changed as an update of its CLI could change it', () => {
  const outcomes = outcomesOf(someOf(changeable()));

  for (const { name, falseRest, falseWait } of outcomes) {
    it(`with ${name} is not at rest where it was at work or waited`, () => {
      expect(falseRest).to.deep.equal([]);
    });

    it(`with ${name} does not wait where it did not`, () => {
      expect(falseWait).to.deep.equal([]);
    });
  }

  it('is changed by each kind of change', () => {
    for (const { name, changed } of outcomes) expect(changed, name).to.be.above(0);
  });
});
