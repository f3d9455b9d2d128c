import { expect } from 'chai';
import { ephemeralEventKinds, factKinds } from '#contract/fact/fact.ts';
import { staleAfter, staleAtWorst, watchedKinds } from '#page/fleet/stale.ts';

/** What agents’ rows report, or that people learn elsewhere: no answer becomes stale by it. */
const reportedByRows =
  /^agent\.(state-moved|phase-moved|changed|connection-refused|waits|finished|ended|reported-result|measured|cleaned|failed|run-failed|restore-refused|prompted|interrupted|answered|approved|approvals-limited|left|held|unheld|over-budget|within-budget|tokens-ended|parked|unparked|resumed)$|^account\.|^notice\.failed$|^doorbell\.(raised|rung|dropped)$|^pull-request\.moved$/;

describe('the queries that facts make stale', () => {
  const known = [...Object.keys(factKinds), ...Object.keys(ephemeralEventKinds)];
  const fact = (kind: string) => ({ kind, subjectId: 'sub_1', detail: '{"run":7}' });

  it('are known for every kind of fact, except those in agents’ rows', () => {
    const silent = known.filter((kind) => staleAfter(fact(kind)).length === 0);
    expect(silent.filter((kind) => !reportedByRows.test(kind))).to.deep.equal([]);
    expect(known.filter((kind) => reportedByRows.test(kind))).to.deep.equal(silent);
  });

  it('are of existing kinds only', () => {
    for (const one of watchedKinds) {
      const meant = known.filter((kind) => kind === one || (one.endsWith('.') && kind.startsWith(one)));
      expect(meant, one).not.to.deep.equal([]);
    }
  });

  it('are those of the fact, and all if facts are missing', () => {
    expect(staleAfter(fact('review.answered'))).to.deep.equal([['review', 'sub_1']]);
    expect(staleAfter(fact('run.wrote'))).to.deep.equal([['runs'], ['run', '7']]);
    const all = known.flatMap((kind) => staleAfter(fact(kind)).map(([first]) => first));
    expect(staleAtWorst.flat().toSorted()).to.deep.equal([...new Set(all)].toSorted());
  });
});
