import { expect } from 'chai';
import { withinTime } from '#world/concurrency/time-limit.ts';
import { isSlowPattern } from '#world/pattern-trial.ts';

const slow = '(?:[^()]*,)(?:[^()]*,)(?:[^()]*,)(?:[^()]*,)x';

describe('the trial of a pattern', () => {
  it('detects one that is slow on a crafted row', () => {
    expect(isSlowPattern(slow)).to.equal(true);
    expect(isSlowPattern('^ {0,3}[✦◆●⏺] +\\S.*…$')).to.equal(false);
  });

  it('measures processor time: no pattern is slow because another process is busy', () => {
    let aborted = 0;
    const starved: typeof withinTime = (milliseconds, work) => {
      if (aborted === 2) return withinTime(milliseconds, work);
      aborted += 1;
      return undefined;
    };
    expect(isSlowPattern('^ {0,3}[✦◆●⏺] +\\S.*…$', starved)).to.equal(false);
    expect(aborted).to.equal(2);
    expect(isSlowPattern(slow, starved)).to.equal(true);
  });
});
