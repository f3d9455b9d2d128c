import { expect } from 'chai';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { read } from '#machines/pane/read.ts';
import { loadGoldens } from './golden-screen.ts';

for (const [harness, goldens] of Map.groupBy(loadGoldens(), (golden) => golden.harness)) {
  describe(`golden screens of ${harness}`, () => {
    for (const { name, state, reason, capture } of goldens) {
      it(name, () => {
        const reading = read(screensOf(builtIn, harness), capture);
        expect({ state: reading.state, reason: reading.reason }, reading.rule).to.deep.equal({ state, reason });
      });
    }
  });
}
