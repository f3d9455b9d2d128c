import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Checks, Mergeability, PullRequestState, ReviewDecision } from '#contract/forge/pull-request.ts';
import {
  currentFirst,
  keepKnownMerge,
  type MergeReading,
  mattersOf,
  type PullRequestFacts,
  pullRequestState,
} from '#machines/forge/pull-request.ts';

interface Input {
  readonly isRead: boolean;
  readonly isThere: boolean;
  readonly facts: PullRequestFacts;
}

const booleans = [false, true] as const;
const forgeStates = ['OPEN', 'CLOSED', 'MERGED'] as const;
const [mergeabilities, allChecks, decisions] = [Mergeability, Checks, ReviewDecision].map(({ options }) =>
  options.slice(1),
) as [PullRequestFacts['mergeability'][], PullRequestFacts['checks'][], PullRequestFacts['reviewDecision'][]];

const inputs: Input[] = [];
for (const isRead of booleans)
  for (const isThere of booleans)
    for (const state of forgeStates)
      for (const draft of booleans)
        for (const mergeability of mergeabilities)
          for (const checks of allChecks)
            for (const reviewDecision of decisions)
              inputs.push({
                isRead,
                isThere,
                facts: { state, draft, mergeability, checks, reviewDecision, inMergeQueue: false },
              });

const stateOf = ({ isRead, isThere, facts }: Input) => pullRequestState(isThere ? facts : undefined, isRead);
const live = inputs.filter(({ isRead, isThere }) => isRead && isThere).map(({ facts }) => facts);
const standing = (facts: PullRequestFacts) => pullRequestState(facts, true).replace('PULL_REQUEST_STATE_', '');

describe('the state of a pull request', () => {
  it('is one of the eleven states for each of the 2,304 inputs, and each state is reached', () => {
    expect(inputs).to.have.length(2_304);
    const reached = new Set(inputs.map(stateOf));
    expect([...reached].toSorted()).to.deep.equal(PullRequestState.options.slice(1).toSorted());
  });

  it('follows the precedence, computed in a second way', () => {
    // The same precedence as a list of what shadows what, not as a chain of ifs.
    const rules: readonly [string, (input: Input) => boolean][] = [
      ['UNREAD', ({ isRead }) => !isRead],
      ['NONE', ({ isThere }) => !isThere],
      ['MERGED', ({ facts }) => facts.state === 'MERGED'],
      ['CLOSED', ({ facts }) => facts.state === 'CLOSED'],
      ['DRAFT', ({ facts }) => facts.draft],
      ['CONFLICTING', ({ facts }) => facts.mergeability === 'MERGEABILITY_CONFLICTING'],
      ['FAILING', ({ facts }) => facts.checks === 'CHECKS_FAILING'],
      ['CHANGES_REQUESTED', ({ facts }) => facts.reviewDecision === 'REVIEW_DECISION_CHANGES_REQUESTED'],
      ['OPEN', ({ facts }) => facts.reviewDecision !== 'REVIEW_DECISION_APPROVED'],
      ['APPROVED', ({ facts }) => facts.mergeability === 'MERGEABILITY_CLEAN'],
      ['APPROVED', ({ facts }) => facts.mergeability === 'MERGEABILITY_UNSTABLE' && facts.checks !== 'CHECKS_PENDING'],
      ['APPROVED_WAITING', () => true],
    ];
    for (const input of inputs) {
      const [first] = rules.find(([, fits]) => fits(input)) ?? [''];
      expect(stateOf(input), JSON.stringify(input)).to.equal(`PULL_REQUEST_STATE_${first}`);
    }
  });

  it('occurs in the expected number of inputs', () => {
    const counts = Object.fromEntries(
      [...Map.groupBy(inputs, stateOf)].map(([state, found]) => [
        state.replace('PULL_REQUEST_STATE_', ''),
        found.length,
      ]),
    );
    expect(counts).to.deep.equal({
      UNREAD: 1_152,
      NONE: 576,
      MERGED: 192,
      CLOSED: 192,
      DRAFT: 96,
      CONFLICTING: 16,
      FAILING: 20,
      CHANGES_REQUESTED: 15,
      OPEN: 30,
      APPROVED: 5,
      APPROVED_WAITING: 10,
    });
  });

  it('ignores reviews during a draft, a conflict, a failure or after the end', () => {
    const deaf = new Set(['MERGED', 'CLOSED', 'DRAFT', 'CONFLICTING', 'FAILING']);
    for (const facts of live.filter((one) => deaf.has(standing(one)))) {
      for (const reviewDecision of decisions) expect(standing({ ...facts, reviewDecision })).to.equal(standing(facts));
    }
  });

  it('never moves away from a merge on an approval, a passing check or a clean merge', () => {
    const nearness = ['CONFLICTING', 'FAILING', 'CHANGES_REQUESTED', 'OPEN', 'APPROVED_WAITING', 'APPROVED'];
    const better: Partial<PullRequestFacts>[] = [
      { reviewDecision: 'REVIEW_DECISION_APPROVED' },
      { checks: 'CHECKS_PASSING' },
      { mergeability: 'MERGEABILITY_CLEAN' },
    ];
    for (const facts of live.filter(({ state, draft }) => state === 'OPEN' && !draft)) {
      for (const change of better) {
        const [before, after] = [standing(facts), standing({ ...facts, ...change })];
        expect(nearness.indexOf(after), `${before} → ${after}`).to.be.at.least(nearness.indexOf(before));
      }
    }
  });

  it('changes only at the end once it is merged or closed, and only by undrafting while it is a draft', () => {
    for (const facts of live) {
      if (facts.state === 'OPEN' && !facts.draft) continue;
      const expected = facts.state === 'OPEN' ? 'DRAFT' : facts.state;
      expect(standing(facts)).to.equal(expected);
    }
  });

  it('is a merge queue’s if it is approved, and otherwise ignores the queue', () => {
    for (const facts of live) {
      const queued = standing({ ...facts, inMergeQueue: true });
      const before = standing(facts);
      expect(queued).to.equal(before === 'APPROVED' ? 'APPROVED_WAITING' : before);
    }
  });

  it('is explained by the row: approved but waiting always has a visible cause', () => {
    for (const facts of live.flatMap((one) => [one, { ...one, inMergeQueue: true }])) {
      const state = standing(facts);
      if (state !== 'APPROVED' && state !== 'APPROVED_WAITING') continue;
      const { reviewDecision, mergeability, checks, inMergeQueue } = facts;
      expect(reviewDecision, JSON.stringify(facts)).to.equal('REVIEW_DECISION_APPROVED');
      const isRunning = mergeability === 'MERGEABILITY_UNSTABLE' && checks === 'CHECKS_PENDING';
      const isHeldUp = !['MERGEABILITY_CLEAN', 'MERGEABILITY_UNSTABLE'].includes(mergeability);
      const isShown = inMergeQueue || isRunning || isHeldUp;
      expect(state === 'APPROVED_WAITING', JSON.stringify(facts)).to.equal(isShown);
    }
  });

  it('matches docs/pull-requests.md for all inputs', () => {
    const page = readFileSync(new URL('../../docs/pull-requests.md', import.meta.url), 'utf8');
    const cells = page
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    const short = (name: string) => name.replace(/^(MERGEABILITY|CHECKS|REVIEW_DECISION)_/, '');
    const told = ({ isRead, isThere, facts }: Input): string | undefined => {
      const { state, draft, mergeability, checks, reviewDecision } = facts;
      const words = !isRead
        ? 'the first sweep of the repository is not complete'
        : !isThere
          ? 'the repository was read, and nothing was opened from the branch'
          : `${state.toLowerCase()}, ${draft ? 'a draft' : 'not a draft'}`;
      const settled = cells.find(([first]) => first === words)?.[1];
      if (settled !== 'see below') return settled;
      const titles = cells.find(([first]) => first === 'checks') ?? [];
      const row = cells.find(([one, other]) => one === short(checks) && other === short(reviewDecision));
      return row?.[titles.indexOf(short(mergeability))];
    };
    for (const input of inputs) {
      expect(told(input), JSON.stringify(input)).to.equal(stateOf(input).replace('PULL_REQUEST_STATE_', ''));
    }
  });
});

describe('the current pull request of a branch', () => {
  const one = (forgeState: (typeof forgeStates)[number], openedAt: number, number = openedAt) => ({
    forgeState,
    openedAt,
    number,
  });

  it('is the newest open one, else the newest merged, else the newest closed, in any order', () => {
    const found = [
      one('CLOSED', 9),
      one('MERGED', 3),
      one('OPEN', 1),
      one('MERGED', 5),
      one('OPEN', 2),
      one('CLOSED', 7),
    ];
    const expected = [
      one('OPEN', 2),
      one('OPEN', 1),
      one('MERGED', 5),
      one('MERGED', 3),
      one('CLOSED', 9),
      one('CLOSED', 7),
    ];
    for (let turn = 0; turn < found.length; turn += 1) {
      const turned = [...found.slice(turn), ...found.slice(0, turn)];
      expect(currentFirst(turned)).to.deep.equal(expected);
      expect(currentFirst(turned.toReversed())).to.deep.equal(expected);
    }
  });

  it('has the higher number if two were opened at the same moment', () => {
    expect(currentFirst([one('OPEN', 1, 4), one('OPEN', 1, 5)])[0]?.number).to.equal(5);
  });
});

describe('the last known mergeability', () => {
  const reading = (more: Partial<MergeReading>): MergeReading => ({
    headSha: 'a',
    baseSha: 'b',
    mergeability: 'MERGEABILITY_UNKNOWN',
    at: 0,
    ...more,
  });
  const known = reading({ mergeability: 'MERGEABILITY_CLEAN' });
  const minutes = (count: number) => count * 60_000;

  it('stays while the forge has no answer for the same commits', () => {
    expect(keepKnownMerge(known, reading({ at: minutes(500) }))).to.equal(known);
  });

  it('stays for five minutes after the base has moved', () => {
    expect(keepKnownMerge(known, reading({ baseSha: 'c', at: minutes(5) - 1 }))).to.equal(known);
    const late = reading({ baseSha: 'c', at: minutes(5) });
    expect(keepKnownMerge(known, late)).to.equal(late);
  });

  it('is cleared by a new head', () => {
    const moved = reading({ headSha: 'd', at: 1 });
    expect(keepKnownMerge(known, moved)).to.equal(moved);
  });

  it('is the forge’s own answer if it has one', () => {
    for (const mergeability of mergeabilities.filter((one) => one !== 'MERGEABILITY_UNKNOWN')) {
      const fresh = reading({ mergeability, at: 1 });
      expect(keepKnownMerge(known, fresh)).to.equal(fresh);
    }
    const first = reading({});
    expect(keepKnownMerge(undefined, first)).to.equal(first);
  });
});

describe('problems to fix', () => {
  it('exist for open ones only, drafts included', () => {
    for (const facts of live) {
      const expected =
        facts.state === 'OPEN'
          ? [
              ...(facts.checks === 'CHECKS_FAILING' ? ['PULL_REQUEST_MATTER_FAILING_CHECKS'] : []),
              ...(facts.reviewDecision === 'REVIEW_DECISION_CHANGES_REQUESTED'
                ? ['PULL_REQUEST_MATTER_REQUESTED_CHANGES']
                : []),
              ...(facts.mergeability === 'MERGEABILITY_CONFLICTING' ? ['PULL_REQUEST_MATTER_CONFLICT'] : []),
            ]
          : [];
      expect(mattersOf(facts)).to.deep.equal(expected);
    }
  });
});
