import { expect } from 'chai';
import { machineNames } from '#machines/chart/definitions.ts';
import { isLaidOut, layOut } from '#service/chart-layout.ts';

describe('the charts of the machines', () => {
  for (const name of machineNames) {
    it(`include ${name} as it is defined`, () => {
      expect(isLaidOut(name), 'stale: run npm run docs').to.equal(true);
    });
  }

  it('are laid out the same each time', async () => {
    expect(await layOut('sweep')).to.deep.equal(await layOut('sweep'));
  });
});
