import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { CreateAgentRequest } from '#contract/operations/create-agent.ts';
import type { Review } from '#contract/review/review.ts';
import { type As, type Made, type RegistryFixture, registryFixture } from '#test/registry/registry-fixture.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';

const reviewing = { role: 'AGENT_ROLE_REVIEWER', prompt: 'Say that it is approved' } as const;

/**
 * Each workflow's own harness is what its agents may launch, so that nothing but the verdict's standing is in question.
 */
describe('a verdict on an agent’s work', () => {
  let fixture: RegistryFixture;
  let workflowId: string;
  let author: Made<Agent>;
  before(async () => {
    fixture = await registryFixture({ ceiling: 1_000 });
  });
  after(() => fixture.close());
  beforeEach(() => begin('claude'));

  const as = ({ id }: { readonly id: string }): As => ({ agentId: id });
  const rowOf = async (agentId = author.id): Promise<AgentRow> =>
    (await fixture.call<{ agent: AgentRow }>('GetAgent', { agentId })).agent;

  /** An agent at work, in a workflow of a harness, with a round of its work. */
  async function begin(harness: string): Promise<void> {
    ({ id: workflowId } = await fixture.workflow({ harness }));
    author = await launched({ provisionEnabled: false, role: 'AGENT_ROLE_IMPLEMENTER' });
    await fixture.call('StartReviewRound', { agentId: author.id });
  }
  async function launched(request: Partial<CreateAgentRequest>, by?: As): Promise<Made<Agent>> {
    const agent = await fixture.create({ workflowId, ...request }, by);
    await fixture.host.bringUp(agent.id);
    return agent;
  }
  const reviewer = (by?: As, request: Partial<CreateAgentRequest> = {}) =>
    launched({ ...reviewing, parentAgentId: author.id, ...request }, by);
  async function release(by: As, verdict = 'REVIEW_VERDICT_APPROVED'): Promise<Review> {
    fixture.clock.pass(1_000);
    const request = { agentId: author.id, verdict, summary: 'Look again.' };
    return (await fixture.call<{ review: Review }>('ReleaseReview', request, by)).review;
  }
  async function expectUncounted(review: Review, of: Made<Agent>, notCounting: string): Promise<void> {
    expect(review).to.include({ notCounting, verdict: 'REVIEW_VERDICT_APPROVED' });
    const row = await rowOf();
    expect(row).not.to.have.any.keys('localReviewVerdict', 'localReviewTree', 'localReviewConclusion');
    expect(row.uncountedReviewConclusion).to.deep.include({
      reviewId: review.id,
      verdict: 'REVIEW_VERDICT_APPROVED',
      authorKind: 'REVIEW_AUTHOR_KIND_AGENT',
      authorAgentId: of.id,
      authorName: of.name,
      notCounting,
      launcher: review.launcher,
    });
    const { reviews } = await fixture.call<{ reviews: Review[] }>('ListReviewThreads', { agentId: author.id });
    expect(reviews[0]).to.deep.equal(review);
  }

  for (const harness of ['shell', 'claude']) {
    it(`of a ${harness} that the agent launched as its own reviewer does not count`, async () => {
      await begin(harness);
      const own = await reviewer(as(author));
      const review = await release(as(own));
      expect(review.launcher).to.deep.equal({
        kind: 'REVIEW_LAUNCHER_KIND_AGENT',
        agentId: author.id,
        name: author.name,
      });
      await expectUncounted(review, own, 'REVIEW_NOT_COUNTING_LAUNCHED_BY_ITSELF');
      // What it says reaches the agent anyway.
      expect((await fixture.host.registry.load(author.id)).bell?.causes).to.deep.equal({ DOORBELL_CAUSE_REVIEW: 1 });
      const [fact] = (
        await fixture.call<{ facts: { kind: string; detail: string }[] }>('ListFacts', { subjectId: author.id })
      ).facts.filter(({ kind }) => kind === 'review.released');
      expect(JSON.parse(fact?.detail ?? '{}')).to.include({ notCounting: 'REVIEW_NOT_COUNTING_LAUNCHED_BY_ITSELF' });
    });
  }

  it('of a shell, or of a harness that its host does not declare, does not count', async () => {
    const shell = await reviewer('person', { harness: 'shell' });
    await expectUncounted(await release(as(shell)), shell, 'REVIEW_NOT_COUNTING_NO_CODING_AGENT');
    fixture.host.harnesses = [...fixture.host.harnesses, 'acme', 'runner'];
    fixture.host.codingHarnesses = ['acme', 'shell'];
    await fixture.host.beat();
    const runner = await reviewer('person', { harness: 'runner' });
    await expectUncounted(await release(as(runner)), runner, 'REVIEW_NOT_COUNTING_NO_CODING_AGENT');
    // A host cannot make one of what is built in and is none.
    await expectUncounted(await release(as(shell)), shell, 'REVIEW_NOT_COUNTING_NO_CODING_AGENT');
    const acme = await reviewer('person', { harness: 'acme' });
    expect(await release(as(acme))).not.to.have.property('notCounting');
    expect(await rowOf()).to.include({ localReviewVerdict: 'REVIEW_VERDICT_APPROVED' });
  });

  it('of a person, or of a coding agent that a person launched, counts; the row shows which', async () => {
    const own = await reviewer();
    const review = await release(as(own), 'REVIEW_VERDICT_CHANGES_REQUESTED');
    expect(review.launcher).to.deep.equal({ kind: 'REVIEW_LAUNCHER_KIND_HUMAN' });
    expect(review).not.to.have.property('notCounting');
    expect((await rowOf()).localReviewConclusion).to.deep.include({
      reviewId: review.id,
      verdict: 'REVIEW_VERDICT_CHANGES_REQUESTED',
      authorKind: 'REVIEW_AUTHOR_KIND_AGENT',
      authorAgentId: own.id,
      authorName: own.name,
      launcher: { kind: 'REVIEW_LAUNCHER_KIND_HUMAN' },
    });
    const persons = await release('person');
    expect(persons).not.to.have.any.keys('launcher', 'notCounting');
    const row = await rowOf();
    expect(row).to.include({ localReviewVerdict: 'REVIEW_VERDICT_APPROVED' });
    expect(row.localReviewConclusion).to.deep.include({ authorKind: 'REVIEW_AUTHOR_KIND_HUMAN', reviewId: persons.id });
    expect(row.localReviewConclusion).not.to.have.any.keys('authorAgentId', 'launcher', 'notCounting');
  });

  it('stays in force despite a later one that does not count, which is shown next to it', async () => {
    const { reviews } = fixture.host;
    reviews.standing = 'REVIEW_TREE_STANDING_UNSPECIFIED';
    await release('person', 'REVIEW_VERDICT_CHANGES_REQUESTED');
    Object.assign(reviews, { tree: 'more', standing: 'REVIEW_TREE_STANDING_MOVED' });
    await fixture.call('StartReviewRound', {}, as(author));
    const own = await reviewer(as(author));
    await release(as(own));
    await moment('the work is measured against the verdict that stands', async () => {
      const { localReviewTree } = await rowOf();
      return localReviewTree === 'REVIEW_TREE_STANDING_MOVED';
    });
    const row = await rowOf();
    expect(row).to.include({ localReviewVerdict: 'REVIEW_VERDICT_CHANGES_REQUESTED' });
    expect(row.uncountedReviewConclusion).to.include({ verdict: 'REVIEW_VERDICT_APPROVED', authorAgentId: own.id });
    await release('person', 'REVIEW_VERDICT_COMMENTED');
    expect(await rowOf()).to.include({ localReviewVerdict: 'REVIEW_VERDICT_COMMENTED' });
    expect(await rowOf()).not.to.have.property('uncountedReviewConclusion');
  });

  it('does not count indirectly: no agent launches for another one, under a reviewer, or an orchestrator', async () => {
    const [own, other] = [await reviewer(as(author)), await launched({ provisionEnabled: false })];
    const orchestrator = await launched({ role: 'AGENT_ROLE_ORCHESTRATOR', provisionEnabled: false });
    for (const by of [own, other, orchestrator]) {
      expect(await failureOf(() => reviewer(as(by)))).to.include({ code: 'permission_denied' });
    }
    const role = { role: 'AGENT_ROLE_ORCHESTRATOR', provisionEnabled: false } as const;
    for (const by of [author, orchestrator]) {
      expect(await failureOf(() => launched(role, as(by)))).to.include({ code: 'permission_denied' });
    }
    expect(await failureOf(() => release(as(author)))).to.include({ code: 'permission_denied' });
  });
});
