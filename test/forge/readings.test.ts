import { expect } from 'chai';
import { type ForgeKind, type ForgeReading, forgeKinds } from '#contract/forge/forge.ts';
import { type Pull, pull, sha } from './doubles/world.ts';
import { type ForgeFixture, forgeFixture } from './forge-fixture.ts';

type ExpectedReading = Partial<ForgeReading>;

/** A pull request, how every forge should report it, and the differences of some forges. */
interface Case {
  readonly what: string;
  readonly given: Partial<Pull>;
  readonly told: ExpectedReading;
  readonly but?: Partial<Record<ForgeKind, ExpectedReading>>;
}

const finishedAt = '2026-03-01T10:00:00.000Z';
const failed = (name: string) => ({ name, state: 'failed' }) as const;
const many = Array.from({ length: 25 }, (_, index) => failed(`check ${index}`));

const cases: readonly Case[] = [
  { what: 'an open one', given: {}, told: { state: 'OPEN', draft: false, inMergeQueue: false } },
  {
    what: 'its commits and branches',
    given: { branch: 'feature/a-b', base: 'release/1', headSha: sha('h'), baseSha: sha('b') },
    told: { headBranch: 'feature/a-b', baseBranch: 'release/1', headSha: sha('h'), baseSha: sha('b') },
  },
  {
    what: 'its times in UTC',
    given: { createdAt: '2026-01-05T23:30:00.000Z', updatedAt: '2026-01-06T00:30:00.000Z' },
    told: { createdAt: '2026-01-05T23:30:00.000Z', updatedAt: '2026-01-06T00:30:00.000Z' },
  },
  {
    what: 'a title as it stands',
    given: { title: 'Draft: <b>"x"</b> & \\ ünï 🎉 $(id)' },
    told: { title: 'Draft: <b>"x"</b> & \\ ünï 🎉 $(id)' },
  },
  { what: 'a draft', given: { draft: true }, told: { draft: true, mergeability: 'MERGEABILITY_BLOCKED' } },
  { what: 'a closed one', given: { state: 'CLOSED', finishedAt }, told: { state: 'CLOSED', closedAt: finishedAt } },
  {
    what: 'a merged one, which is closed too',
    given: { state: 'MERGED', finishedAt },
    told: { state: 'MERGED', mergedAt: finishedAt, closedAt: finishedAt },
  },
  {
    what: 'one from a fork',
    given: { from: { fork: 'someone/app' } },
    told: { headRepositoryUrl: 'https://forge.test/someone/app', repositoryUrl: 'https://forge.test/acme/app' },
  },
  { what: 'one from a fork that is gone', given: { from: 'gone' }, told: { headRepositoryUrl: '' } },
  {
    what: 'one whose branch is deleted',
    given: { branch: 'gone', isBranchDeleted: true, state: 'MERGED', finishedAt },
    told: { headBranch: 'gone', state: 'MERGED' },
  },
  { what: 'no review', given: {}, told: { reviewDecision: 'REVIEW_DECISION_NONE' } },
  {
    what: 'a comment, which decides nothing',
    given: { reviews: [{ user: 'ann', verdict: 'comment' }] },
    told: { reviewDecision: 'REVIEW_DECISION_NONE' },
  },
  {
    what: 'a review that is asked for',
    given: { asked: ['ann'] },
    told: { reviewDecision: 'REVIEW_DECISION_PENDING' },
  },
  {
    what: 'a review that the rules ask for',
    given: { needsReview: true, merges: 'blocked' },
    told: { reviewDecision: 'REVIEW_DECISION_PENDING' },
    // Neither reports its rules with a pull request.
    but: { gitea: { reviewDecision: 'REVIEW_DECISION_NONE' }, bitbucket: { reviewDecision: 'REVIEW_DECISION_NONE' } },
  },
  {
    what: 'an approval where the rules ask for none',
    given: { reviews: [{ user: 'ann', verdict: 'approved' }] },
    told: { reviewDecision: 'REVIEW_DECISION_APPROVED' },
  },
  {
    what: 'an approval where the rules ask for one',
    given: { needsReview: true, reviews: [{ user: 'ann', verdict: 'approved' }] },
    told: { reviewDecision: 'REVIEW_DECISION_APPROVED' },
  },
  {
    what: 'changes that are asked for',
    given: { reviews: [{ user: 'ann', verdict: 'changes' }] },
    told: { reviewDecision: 'REVIEW_DECISION_CHANGES_REQUESTED' },
  },
  {
    what: 'changes that the rules wait for',
    given: { needsReview: true, reviews: [{ user: 'ann', verdict: 'changes' }] },
    told: { reviewDecision: 'REVIEW_DECISION_CHANGES_REQUESTED' },
  },
  {
    what: 'changes of one beside the approval of another',
    given: {
      reviews: [
        { user: 'ann', verdict: 'approved' },
        { user: 'ben', verdict: 'changes' },
      ],
    },
    told: { reviewDecision: 'REVIEW_DECISION_CHANGES_REQUESTED' },
  },
  {
    what: 'an approval after changes by the same person',
    given: {
      reviews: [
        { user: 'ann', verdict: 'changes' },
        { user: 'ann', verdict: 'approved' },
      ],
    },
    told: { reviewDecision: 'REVIEW_DECISION_APPROVED' },
  },
  {
    what: 'an approval that was taken back',
    given: { reviews: [{ user: 'ann', verdict: 'approved', outdated: true }] },
    told: { reviewDecision: 'REVIEW_DECISION_NONE' },
  },
  {
    what: 'the last of many reviews',
    given: {
      reviews: [
        ...Array.from({ length: 119 }, () => ({ user: 'ann', verdict: 'approved' }) as const),
        { user: 'ann', verdict: 'changes' },
      ],
    },
    told: { reviewDecision: 'REVIEW_DECISION_CHANGES_REQUESTED' },
  },
  { what: 'no checks', given: {}, told: { checks: 'CHECKS_NONE', failingChecks: [] } },
  {
    what: 'checks that pass',
    given: {
      checks: [
        { name: 'a', state: 'passed' },
        { name: 'b', state: 'passed' },
      ],
    },
    told: { checks: 'CHECKS_PASSING', failingChecks: [] },
  },
  {
    what: 'checks that run',
    given: {
      checks: [
        { name: 'a', state: 'passed' },
        { name: 'b', state: 'running' },
      ],
      merges: 'unstable',
    },
    told: { checks: 'CHECKS_PENDING', mergeability: 'MERGEABILITY_UNSTABLE' },
  },
  {
    what: 'checks that fail, with their names',
    given: { checks: [failed('lint'), { name: 'b', state: 'passed' }, failed('test / unit')], merges: 'unstable' },
    told: { checks: 'CHECKS_FAILING', failingChecks: ['lint', 'test / unit'], mergeability: 'MERGEABILITY_UNSTABLE' },
  },
  {
    what: 'a failing check beside one that runs',
    given: { checks: [failed('lint'), { name: 'b', state: 'running' }] },
    told: { checks: 'CHECKS_FAILING', failingChecks: ['lint'] },
    but: { gitea: { mergeability: 'MERGEABILITY_UNSTABLE' } },
  },
  {
    what: 'twenty names of more failing checks',
    given: { checks: many, merges: 'unstable' },
    told: { failingChecks: many.slice(0, 20).map(({ name }) => name) },
  },
  { what: 'one that merges', given: {}, told: { mergeability: 'MERGEABILITY_CLEAN' } },
  { what: 'a conflict', given: { merges: 'conflict' }, told: { mergeability: 'MERGEABILITY_CONFLICTING' } },
  {
    what: 'one behind its base',
    given: { merges: 'behind' },
    told: { mergeability: 'MERGEABILITY_BEHIND' },
  },
  {
    what: 'one that a rule holds up',
    given: { merges: 'blocked' },
    told: { mergeability: 'MERGEABILITY_BLOCKED' },
    // To readers, Gitea reports that there are rules, but not all of them.
    but: { gitea: { mergeability: 'MERGEABILITY_UNKNOWN' } },
  },
  {
    what: 'one that is still being looked at',
    given: { merges: 'checking' },
    told: { mergeability: 'MERGEABILITY_UNKNOWN' },
    // For as long as Gitea checks, it says what it says of a conflict. Here it checks for longer than is waited.
    but: { gitea: { mergeability: 'MERGEABILITY_CONFLICTING' } },
  },
  {
    what: 'one in the merge queue',
    given: { isQueued: true },
    told: { inMergeQueue: true },
    // GitLab's merge trains are not in every edition, and Gitea has no queue.
    but: { gitlab: { inMergeQueue: false }, gitea: { inMergeQueue: false } },
  },
];

/** The defaults of a case. */
function usual(kind: ForgeKind, one: Pull): ExpectedReading {
  return {
    forge: kind,
    number: one.number,
    repositoryUrl: 'https://forge.test/acme/app',
    title: one.title,
    headBranch: one.branch,
    draft: one.draft,
    state: one.state,
  };
}

for (const kind of forgeKinds) {
  describe(`the readings of ${kind}`, () => {
    let fixture: ForgeFixture;
    before(async () => {
      fixture = await forgeFixture(kind);
    });
    after(() => fixture.close());

    for (const [index, { what, given, told, but }] of cases.entries()) {
      it(`include ${what}`, async () => {
        const one = pull(index + 1, given);
        const path = 'acme/app';
        fixture.world.repositories.length = 0;
        fixture.world.repository(path, { pulls: [one] });
        const query = { state: 'all', pageSize: 20 } as const;
        await fixture.client.list(path, query);
        fixture.now += 11_000;
        const { readings, repositoryUrl, nextCursor } = await fixture.client.list(path, query);
        const expected = { ...usual(kind, one), ...told, ...but?.[kind] };
        // Bitbucket reports only conflicts, and never whether a pull request is mergeable.
        if (kind === 'bitbucket' && expected.mergeability !== 'MERGEABILITY_CONFLICTING') {
          expected.mergeability = 'MERGEABILITY_UNKNOWN';
        }
        expect(readings).length(1);
        expect(readings[0]).deep.include(expected);
        expect({ repositoryUrl, nextCursor }).deep.equal({
          repositoryUrl: 'https://forge.test/acme/app',
          nextCursor: undefined,
        });
        if (one.state === 'OPEN') expect(readings[0]).not.have.any.keys('mergedAt', 'closedAt');
        const { providerId, url } = readings[0] ?? {};
        const again = await fixture.client.read(path, [{ providerId: providerId ?? '', number: one.number }]);
        expect(again.readings).deep.equal(readings);
        expect(new URL(url ?? '').href).match(new RegExp(`^https://forge\\.test/acme/app/.*/${one.number}$`));
      });
    }
  });
}
