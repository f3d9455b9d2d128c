import { expect } from 'chai';
import { authorReviewStatus } from '#actors/registry/review/author-review-status.ts';
import type { Review } from '#contract/review/review.ts';
import { builtIn } from '#machines/harness/table.ts';
import type { NewAgent } from '#store/agent/new-agent.ts';
import { changeElsewhere } from './other-process.ts';
import { newAgent, type StoreFixture, saveHost, storeFixture } from './store-fixture.ts';

const self = 'REVIEW_NOT_COUNTING_LAUNCHED_BY_ITSELF';
const byAgent = 'REVIEW_NOT_COUNTING_LAUNCHED_BY_AGENT';
const gone = 'REVIEW_NOT_COUNTING_LAUNCHER_GONE';
const noAgent = 'REVIEW_NOT_COUNTING_NO_CODING_AGENT';
const human = { kind: 'REVIEW_LAUNCHER_KIND_HUMAN' };
const agent = (name: string) => ({ kind: 'REVIEW_LAUNCHER_KIND_AGENT', agentId: `agt_${name}`, name });

/**
 * Reviewers of `agt_author`, of whom some cannot come about by the rules of today, and what their verdicts count for.
 */
const cases: readonly (readonly [name: string, notCounting: Review['notCounting'], launcher: object])[] = [
  ['of-person', undefined, human],
  ['of-schedule', undefined, { kind: 'REVIEW_LAUNCHER_KIND_SCHEDULE', scheduleId: 'sch_1' }],
  ['of-orchestrator', undefined, agent('orchestrator')],
  ['of-author', self, agent('author')],
  ['of-sibling', self, agent('of-person')],
  ['of-chain', self, agent('helper')],
  ['of-stranger', byAgent, agent('stranger')],
  ['of-false-orchestrator', byAgent, agent('false-orchestrator')],
  ['of-deleted', gone, agent('deleted')],
  ['of-shell', noAgent, human],
  ['of-acme', noAgent, human],
];

describe('reviewers’ verdicts, by launcher', () => {
  let fixture: StoreFixture;
  beforeEach(async () => {
    fixture = await storeFixture();
    await saveHost(fixture.store);
    const usual = newAgent('agt_x');
    const launch = (harness: string) => ({ ...usual.launch, name: `of-${harness}`, harness });
    const by = (name: string) => ({ spawnedByAgentId: `agt_${name}`, createdBy: `agt_${name}` });
    const orchestrator = { role: 'AGENT_ROLE_ORCHESTRATOR' } as const;
    const child = { parentAgentId: 'agt_author', role: 'AGENT_ROLE_REVIEWER' } as const;
    const all: readonly (readonly [name: string, given: Partial<NewAgent>])[] = [
      ['author', {}],
      ['orchestrator', orchestrator],
      ['stranger', {}],
      ['deleted', orchestrator],
      ['helper', by('author')],
      ['false-orchestrator', { ...orchestrator, ...by('stranger') }],
      ['of-person', child],
      ['of-schedule', { ...child, scheduleId: 'sch_1', createdBy: 'sch_1' }],
      ['of-orchestrator', { ...child, ...by('orchestrator') }],
      ['of-author', { ...child, ...by('author') }],
      ['of-sibling', { ...child, ...by('of-person') }],
      ['of-chain', { ...child, ...by('helper') }],
      ['of-stranger', { ...child, ...by('stranger') }],
      ['of-false-orchestrator', { ...child, ...by('false-orchestrator') }],
      ['of-deleted', { ...child, ...by('deleted') }],
      ['of-shell', { ...child, launch: launch('shell') }],
      ['of-acme', { ...child, launch: launch('acme') }],
    ];
    for (const [name, given] of all) {
      await fixture.store.write(({ journal }) => journal.insert(newAgent(`agt_${name}`, { name, ...given })));
    }
    change(`update "agent" set "standing" = 'gone' where "id" = 'agt_deleted'`);
  });
  afterEach(() => fixture.close());

  function change(...statements: string[]): void {
    changeElsewhere(fixture.file, ...statements);
  }

  it('count if only people, schedules and orchestrators launched the reviewer, directly or not', async () => {
    for (const [name, notCounting, launcher] of cases) {
      const standing = await fixture.store.read((tables) =>
        authorReviewStatus(tables, builtIn, 'agt_author', `agt_${name}`),
      );
      expect(standing, name).to.deep.equal({ name, launcher, notCounting });
    }
    expect(
      await fixture.store.read((tables) => authorReviewStatus(tables, builtIn, 'agt_author', 'person')),
    ).to.deep.equal({});
  });

  /** Makes the file what it was before it was kept who launched whom, with reviews released one after the other. */
  function makeOld(authors: readonly string[]): void {
    const context = { comments: 0, conclusion: { verdict: 'REVIEW_VERDICT_APPROVED', summary: '', roundId: 'rnd_1' } };
    const snapshot = JSON.stringify({ value: 'released', context });
    change(
      `delete from "mikro_orm_migrations" where "name" = '2026-12-02-counting-verdicts'`,
      'alter table "host" drop column "coding_harnesses"',
      ...['launcher', 'not_counting'].map((column) => `alter table "review" drop column "${column}"`),
      ...['local_review_conclusion', 'uncounted_review_conclusion'].map(
        (column) => `alter table "agent" drop column "${column}"`,
      ),
      `update "agent" set "local_review_verdict" = 'REVIEW_VERDICT_APPROVED', "local_review_rounds" = 1,
        "local_review_tree" = 'REVIEW_TREE_STANDING_LANDED' where "id" = 'agt_author'`,
      ...authors.map(
        (
          author,
          at,
        ) => `insert into "review" ("id", "agent_id", "author", "snapshot", "round_id", "created_at", "released_at", "closed_at")
          values ('rvw_${author}', 'agt_author', '${author}', '${snapshot}', 'rnd_1', 1, ${at + 1}, ${at + 1})`,
      ),
    );
  }
  const rowOf = async () => (await fixture.store.read(({ agents }) => agents.find('agt_author'))) ?? expect.fail();

  it('are judged by the same rule if they are older; a deleted reviewer’s does not count', async () => {
    makeOld([...cases.map(([name]) => `agt_${name}`), 'agt_deleted']);
    const store = await fixture.reopen();
    for (const [name, notCounting, launcher] of cases) {
      const review = await store.read(({ reviews }) => reviews.find(`rvw_agt_${name}`));
      // Only one level of launching agents is checked.
      const expected = name === 'of-chain' ? byAgent : notCounting;
      expect(review, name).to.deep.include({ launcher, notCounting: expected ?? null });
    }
    const row = await rowOf();
    expect(row).to.include({ localReviewVerdict: 'REVIEW_VERDICT_APPROVED', localReviewTree: null });
    expect(row.localReviewConclusion).to.deep.equal({
      reviewId: 'rvw_agt_of-orchestrator',
      verdict: 'REVIEW_VERDICT_APPROVED',
      authorKind: 'REVIEW_AUTHOR_KIND_AGENT',
      authorAgentId: 'agt_of-orchestrator',
      authorName: 'of-orchestrator',
      launcher: agent('orchestrator'),
      releasedAt: '1970-01-01T00:00:00.003Z',
    });
    expect(row.uncountedReviewConclusion).to.include({ reviewId: 'rvw_agt_deleted', notCounting: gone });
  });

  it('are removed from the row without an earlier counting one, and stay if a person gave the last one', async () => {
    makeOld(['agt_of-author']);
    await fixture.reopen();
    expect(await rowOf()).to.include({ localReviewVerdict: null, localReviewConclusion: null, localReviewTree: null });
    change('delete from "review"');
    makeOld(['agt_of-author', 'person']);
    await fixture.reopen();
    const row = await rowOf();
    expect(row).to.include({
      localReviewVerdict: 'REVIEW_VERDICT_APPROVED',
      localReviewTree: 'REVIEW_TREE_STANDING_LANDED',
      uncountedReviewConclusion: null,
    });
    expect(row.localReviewConclusion).to.deep.equal({
      reviewId: 'rvw_person',
      verdict: 'REVIEW_VERDICT_APPROVED',
      authorKind: 'REVIEW_AUTHOR_KIND_HUMAN',
      releasedAt: '1970-01-01T00:00:00.002Z',
    });
  });
});
