import { expect } from 'chai';
import { withinProcessorTime } from '#world/concurrency/processor-time.ts';

describe('a limit on processor time', () => {
  it('holds up its thread for ten times as long at most, if the processor is busy with others', () => {
    const limits: number[] = [];
    const interrupted = <T>(limitMs: number, _work: () => T): T | undefined => {
      limits.push(limitMs);
      return undefined;
    };
    expect(withinProcessorTime(100, () => 1, interrupted)).to.equal(undefined);
    expect(limits.reduce((sum, one) => sum + one)).to.equal(1_000);
    expect(limits.length).to.be.greaterThan(1);
  });

  it('returns what the work returns, on whichever run', () => {
    let runs = 0;
    const onThird = <T>(_limitMs: number, work: () => T): T | undefined => {
      runs += 1;
      return runs === 3 ? work() : undefined;
    };
    expect(withinProcessorTime(100, () => 'done', onThird)).to.equal('done');
  });
});
