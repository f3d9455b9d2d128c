import { expect } from 'chai';
import { seemsHostFault } from '#machines/host/host-fault.ts';

describe('a mass death', () => {
  for (const [ended, panes, seems] of [
    [4, 4, false],
    [5, 5, true],
    [3, 5, true],
    [2, 5, false],
    [3, 6, false],
    [4, 6, true],
    [50, 100, false],
    [51, 100, true],
    [0, 0, false],
  ] as const) {
    it(`is ${seems ? '' : 'not '}detected for ${ended} of ${panes} panes`, () => {
      expect(seemsHostFault(ended, panes)).to.equal(seems);
    });
  }
});
