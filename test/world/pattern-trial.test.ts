import { expect } from 'chai';
import { withinTime } from '#world/concurrency/time-limit.ts';
import { isSlowPattern } from '#world/pattern-trial.ts';

const slow = '(?:[^()]*,)(?:[^()]*,)(?:[^()]*,)(?:[^()]*,)x';

describe('the trial of a pattern', () => {
  it('finds one that takes long on a row that is made for it', () => {
    expect(isSlowPattern(slow)).to.equal(true);
    expect(isSlowPattern('^ {0,3}[✦◆●⏺] +\\S.*…$')).to.equal(false);
  });

  it('counts the time of the processor: while another process has it, no pattern is slow', () => {
    let aborted = 0;
    const starved: typeof withinTime = (milliseconds, work) => {
      if (aborted === 3) return withinTime(milliseconds, work);
      aborted += 1;
      return undefined;
    };
    expect(isSlowPattern('^ {0,3}[✦◆●⏺] +\\S.*…$', starved)).to.equal(false);
    expect(aborted).to.equal(3);
    expect(isSlowPattern(slow, starved)).to.equal(true);
  });
});
