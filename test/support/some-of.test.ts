import { expect } from 'chai';
import { isInPart, partOf } from './some-of.ts';

const cases = Array.from({ length: 20 }, (_, at) => at);
const turns = Array.from({ length: 60 }, (_, at) => at * 7919);

describe('a part of the cases', () => {
  it('is the same in the same run, and over the runs every case', () => {
    const taken = turns.map((turn) => partOf(cases, 0, 3, turn));
    expect(taken).to.deep.equal(turns.map((turn) => partOf(cases, 0, 3, turn)));
    expect(taken.flat()).to.include.members(cases);
    for (const some of taken) expect(some.length).to.be.within(6, 7);
  });

  it('differs from that of another test of a run, and all of them together are the cases', () => {
    for (const turn of turns) {
      const parts = [0, 1, 2].flatMap((test) => partOf(cases, test, 3, turn));
      expect(parts.toSorted((a, b) => a - b)).to.deep.equal(cases);
    }
  });

  it('is one of few cases', () => {
    for (const turn of turns) expect(partOf(['a', 'b'], 1, 16, turn)).to.have.length(1);
    expect(partOf([], 0, 3, 1)).to.deep.equal([]);
  });

  it('has each named case once in as many turns as there are parts, and about as many cases in each turn', () => {
    const names = Array.from({ length: 300 }, (_, at) => `test/registry/file-${at}.test.ts`);
    const takenIn = [100, 101, 102].map((turn) => names.filter((name) => isInPart(name, 3, turn)));
    expect(takenIn.flat().toSorted()).to.deep.equal(names.toSorted());
    for (const taken of takenIn) expect(taken.length).to.be.within(70, 130);
  });

  it('has every pair of two lists in some run', () => {
    const pairs = turns.flatMap((turn) =>
      partOf(cases, 0, 2, turn).flatMap((one) =>
        partOf(['a', 'b'], Math.floor(one / 2), 2, turn).map((two) => one + two),
      ),
    );
    expect(new Set(pairs).size).to.equal(40);
  });
});
