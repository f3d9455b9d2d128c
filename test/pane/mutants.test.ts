import { expect } from 'chai';
import { isSoak } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';
import { changeable, outcomesOf } from './mutants/mutants.ts';

// A CLI changes its looks every week. Until the rules follow, a screen may be doubted, and never be taken for rest.

/** Screens of work that some three changes once made look at rest. */
const hard = [
  'claude/noalt.mid-80x24',
  'opencode/wait.mid-200x50',
  'opencode/mini.mid-80x24',
  'opencode/working',
  'cursor/working',
  'cursor/compaction',
  'gemini/working-no-title',
  'qwen/working-dots',
  'qwen/working-older',
  'qwen/working-older-context-row',
];

describe('a recorded screen, changed as an update of its CLI could change it', () => {
  const outcomes = outcomesOf(someOf(changeable()), isSoak ? 'every' : 'few');

  for (const { name, falseRest, falseTrust, falseWait } of outcomes) {
    it(`with ${name} is not at rest where it was at work or waited`, () => {
      expect(falseRest).to.deep.equal([]);
    });

    it(`with ${name} is not at rest where it was in doubt`, () => {
      expect(falseTrust).to.deep.equal([]);
    });

    it(`with ${name} does not wait where it did not`, () => {
      expect(falseWait).to.deep.equal([]);
    });
  }

  it('is not at rest with any three of them, where once it was', () => {
    const hardest = changeable().filter(({ name }) => hard.includes(name));
    expect(hardest).to.have.length(hard.length);
    expect(outcomesOf(hardest, 'every').flatMap(({ falseRest }) => falseRest)).to.deep.equal([]);
  });

  it('is changed by each kind of change', () => {
    for (const { name, changed } of outcomes) expect(changed, name).to.be.above(0);
  });
});
