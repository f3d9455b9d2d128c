import { expect } from 'chai';
import { drill, inWords, tooLong } from '#test/fleet/drill.ts';
import { drillSummary } from '#test/fleet/drill-table.ts';

/** What decides the faults; the same seed strikes in the same order. */
const seed = Number(process.env['MUSTER_TEST_SEED'] ?? 20_261_127);
const faults = Number(process.env['MUSTER_TEST_FLEET_FAULTS'] ?? 33);
/** How long calls may be refused after a kill, in milliseconds. */
const maxRefusedMs = 5_000;

describe(`a control plane of three registries with ${faults} faults (seed ${seed})`, function () {
  this.timeout(3_600_000);

  it('loses and doubles nothing that it acknowledged, and recovers within seconds', async () => {
    const aftermath = await drill({
      seed,
      faults,
      onFault: (outcome) => console.log(`      ${inWords(outcome)}`),
    });
    for (const line of drillSummary(aftermath)) console.log(`      ${line}`);
    const { lost, doubled, watches } = aftermath.findings;
    expect({ lost, doubled, watches, died: aftermath.died }).to.deep.equal({
      lost: [],
      doubled: [],
      watches: [],
      died: [],
    });
    expect(tooLong(aftermath, maxRefusedMs).map(inWords)).to.deep.equal([]);
    expect(aftermath.outcomes).to.have.length(faults);
  });
});
