import { expect } from 'chai';
import { betweenMsOf, follow } from '#gateway/rpc/watch/watch.ts';

describe('the pace of watches', () => {
  it('slows down with their number, of lists before that of screens', () => {
    const numbers = [1, 25, 100, 1_000];
    expect(numbers.map((watches) => betweenMsOf(watches, 'list'))).to.deep.equal([50, 50, 200, 2_000]);
    expect(numbers.map((watches) => betweenMsOf(watches, 'screen'))).to.deep.equal([50, 50, 50, 500]);
  });
});

describe('a watch of rows that keep changing', () => {
  it('reads without pauses during its opening, and then at its pace', async () => {
    const asked: number[] = [];
    const betweenMs = betweenMsOf(1, 'list');
    const opening = 5;
    const ending = new AbortController();
    let hint: () => void = () => undefined;
    const told = follow({
      // Something else has moved by the time that each question is asked.
      ask: async () => {
        asked.push(performance.now());
        hint();
        const isOpening = asked.length <= opening;
        return asked.length === opening
          ? { cursor: 'told' }
          : { agents: [{ isOpening }], cursor: String(asked.length) };
      },
      listen: (listener) => {
        hint = listener;
        return { close() {} };
      },
      cursor: '',
      heartbeatMs: 60_000,
      betweenMs: () => betweenMs,
      signal: ending.signal,
    });
    for await (const _ of told) if (asked.length === opening + 4) ending.abort();
    const gaps = asked.slice(1).map((at, before) => at - (asked[before] ?? 0));
    const paced = gaps.slice(opening - 1);
    // Timers count in whole milliseconds.
    expect(Math.min(...paced)).to.be.at.least(betweenMs - 2);
    expect(gaps.slice(0, opening - 1).filter((gap) => gap < betweenMs)).to.not.have.length(0);
  });
});
