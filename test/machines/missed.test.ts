import { expect } from 'chai';
import { decideMissed, type MissedPolicy, punctual } from '#machines/schedule/missed.ts';

const hour = 3_600_000;
const now = 100 * hour;

/** Which occurrences run, by how late each is. */
function runs(missed: MissedPolicy, late: readonly number[], catchUp = 24 * hour): number[] {
  const occurrences = late.map((by) => now - by);
  const decisions = decideMissed({ occurrences, latest: occurrences.at(-1) ?? now, now }, { missed, catchUp });
  expect(decisions.map(({ at }) => at)).to.deep.equal(occurrences);
  for (const { reason } of decisions) expect(reason).to.match(/^$|^missed: /);
  return decisions.filter(({ reason }) => reason === '').map(({ at }) => now - at);
}

describe('the policy for missed occurrences', () => {
  const late = [3 * hour, 2 * hour, hour];

  it('runs one for all, all of them, or none', () => {
    expect(runs('run-once', late)).to.deep.equal([hour]);
    expect(runs('run-all', late)).to.deep.equal(late);
    expect(runs('skip', late)).to.deep.equal([]);
  });

  it('skips those older than the catch-up limit', () => {
    expect(runs('run-once', late, hour)).to.deep.equal([hour]);
    expect(runs('run-once', late, hour - 1)).to.deep.equal([]);
    expect(runs('run-all', late, 2 * hour)).to.deep.equal([2 * hour, hour]);
  });

  it('does not apply to occurrences in time', () => {
    for (const missed of ['run-once', 'run-all', 'skip'] as const) {
      expect(runs(missed, [punctual], 0), missed).to.deep.equal([punctual]);
    }
    expect(runs('skip', [punctual + 1])).to.deep.equal([]);
    expect(runs('run-once', [hour, punctual, 0])).to.deep.equal([0]);
    expect(runs('skip', [hour, 0])).to.deep.equal([0]);
  });
});
