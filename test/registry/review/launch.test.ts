import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import { reviewerOpening } from '#contract/agent/briefing.ts';
import { failureOf, refusalWith } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type Made, type RegistryFixture, registryFixture } from '../registry-fixture.ts';
import { shaOf } from './fake-reviews.ts';
import { mine, type ReviewScene, reviewScene } from './review-scene.ts';

describe('a reviewer that is launched as a child', () => {
  let fixture: RegistryFixture;
  let parent: Made<Agent>;
  before(async () => {
    fixture = await registryFixture({ ceiling: 1_000 });
  });
  beforeEach(async () => {
    parent = await fixture.create({ provisionEnabled: false, prompt: 'Build it' });
    await fixture.host.bringUp(parent.id);
    Object.assign(fixture.host.reviews, { tree: 'first', base: 'main', goneBase: undefined, refusal: undefined });
  });
  after(() => fixture.close());

  const review = (request = {}) => fixture.create({ parentAgentId: parent.id, prompt: 'Look at it.', ...request });
  const rounds = async () =>
    (await fixture.call<{ rounds: { ordinal: number }[] }>('ListReviewRounds', { agentId: parent.id })).rounds;

  it('gets a round of its parent’s work with its ids, and one of its own only after a change of the tree', async () => {
    const reviewer = await review();
    const [round] = (await rounds()) as { ordinal: number; changedFiles?: number }[];
    expect(round).to.include({ ordinal: 1, snapshotSha: shaOf(`first at refs/muster/rounds/${parent.id}/1`) });
    const whose = `You review the work of agent "${parent.name}" (${parent.id}).`;
    expect(reviewer.prompt).to.equal(
      `${reviewerOpening}\n\n${whose} Read round 1, with ${round?.changedFiles} files changed.\n\nLook at it.`,
    );
    expect(reviewer.prompt?.split(/\s+/), 'a briefing is short').to.have.length.below(50);
    // Where only the base has moved, what is reviewed is still there.
    fixture.host.reviews.base = 'newer';
    await review();
    expect(await rounds()).to.have.length(1);
    expect(fixture.host.reviews.asked.at(-1)?.[0]).to.be.oneOf(['dropRounds', 'standing']);
    fixture.host.reviews.tree = 'second';
    await review();
    expect((await rounds()).map(({ ordinal }) => ordinal)).to.deep.equal([2, 1]);
    const cuts = fixture.host.reviews.asked.filter(([verb]) => verb === 'cutRound');
    expect(cuts.every(([, { settled }]) => settled === true)).to.equal(true);
    // What the first one writes without naming a snapshot is about the round that it was launched for.
    const request = { agentId: parent.id, filePath: 'a', body: 'x' };
    const { thread } = await fixture.call<{ thread: object }>('CreateReviewThread', request, mine(reviewer));
    expect(thread).to.include({ roundOrdinal: 1 });
  });

  it('gets a round even if the last base is gone, which is refused only on an explicit request', async () => {
    const { reviews } = fixture.host;
    const cut = (base?: string) => fixture.call('StartReviewRound', { agentId: parent.id, ...(base && { base }) });
    await cut('topic');
    reviews.tree = 'second';
    await cut();
    expect(reviews.asked.findLast(([verb]) => verb === 'cutRound')?.[1]).to.include({ base: 'topic' });
    Object.assign(reviews, { tree: 'third', goneBase: 'topic' });
    const { prompt } = await review();
    expect(prompt).to.contain('round 3');
    expect(reviews.asked.findLast(([verb]) => verb === 'cutRound')?.[1]).to.not.have.property('base');
    expect((await failureOf(() => cut('topic'))).code).to.equal('failed_precondition');
    expect(await rounds()).to.have.length(3);
  });

  it('is launched with an explanation if no round can be cut', async () => {
    fixture.host.reviews.refusal = refusalWith('failed_precondition', 'a rebase is part-way through');
    const { prompt } = await review();
    expect(prompt).to.contain('a rebase is part-way through').and.contain('start_review_round');
    expect(await rounds()).to.deep.equal([]);
  });

  it('cuts no round as another kind of child, or without a parent', async () => {
    const before = fixture.host.reviews.count('cutRound');
    await review({ role: 'AGENT_ROLE_IMPLEMENTER' });
    await fixture.create({ role: 'AGENT_ROLE_REVIEWER' });
    expect(fixture.host.reviews.count('cutRound')).to.equal(before);
  });

  it('reads a person’s own briefing, as an implementer does with its first review', async () => {
    const folder = join(fixture.folder.path, 'briefings');
    mkdirSync(folder);
    writeFileSync(join(folder, 'reviewer.md'), 'Be kind.\n');
    try {
      expect((await review()).prompt).to.match(/^Be kind\.\n\nYou review the work of agent .+\n\nLook at it\.$/);
      writeFileSync(join(folder, 'implementer.md'), 'Answer in Welsh.\n');
      const implementer = await fixture.create({ prompt: 'Go.', provisionEnabled: false });
      expect(implementer.prompt).to.equal('Go.');
      await fixture.host.bringUp(implementer.id);
      await fixture.call('StartReviewRound', { agentId: implementer.id });
      await fixture.call('ReleaseReview', {
        agentId: implementer.id,
        verdict: 'REVIEW_VERDICT_COMMENTED',
        summary: 'x',
      });
      const called = await fixture.call<{ briefing?: string }>('ClaimDoorbells', {}, mine(implementer));
      expect(called.briefing).to.equal('Answer in Welsh.');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the review status of a worktree', () => {
  let fixture: RegistryFixture;
  let scene: ReviewScene;
  before(async () => {
    fixture = await registryFixture();
  });
  beforeEach(async () => {
    scene = await reviewScene(fixture);
  });
  after(() => fixture.close());

  const standing = () => fixture.host.reviews.count('standing');
  const measured = async (what: string, columns: object) =>
    moment(what, async () => {
      const { agent, localReviewTree } = await scene.row();
      const { treeStanding, treeStandingSha, movedSinceRound } = agent;
      const shown = { treeStanding, treeStandingSha, movedSinceRound, localReviewTree };
      return JSON.stringify(shown) === JSON.stringify({ ...shown, ...columns });
    });
  const reads = (state: 'AGENT_STATE_IDLE' | 'AGENT_STATE_THINKING') =>
    fixture.host.tell(scene.implementer.id, { type: 'READING', reading: { state, reason: '' } });

  it('is measured when the agent comes to rest, against the newest round and the last verdict’s', async () => {
    const { reviews } = fixture.host;
    Object.assign(reviews, { tree: 'first', standing: 'REVIEW_TREE_STANDING_UNSPECIFIED' });
    const first = await scene.round();
    await measured('the first round is measured', { treeStandingSha: first.snapshotSha, movedSinceRound: undefined });
    Object.assign(reviews, { tree: 'more', standing: 'REVIEW_TREE_STANDING_MOVED' });
    await reads('AGENT_STATE_THINKING');
    const before = standing();
    await reads('AGENT_STATE_IDLE');
    await measured('it is measured at rest', {
      treeStanding: 'REVIEW_TREE_STANDING_MOVED',
      movedSinceRound: first.snapshotSha,
      localReviewTree: undefined,
    });
    expect(standing()).to.equal(before + 1);
    await scene.release('person', { verdict: 'REVIEW_VERDICT_APPROVED' });
    await measured('it is measured against the verdict’s round', { localReviewTree: 'REVIEW_TREE_STANDING_MOVED' });
    const second = await scene.round();
    await measured('it is measured against the new round', {
      treeStandingSha: second.snapshotSha,
      movedSinceRound: undefined,
      localReviewTree: 'REVIEW_TREE_STANDING_MOVED',
    });
    const [, asked] = reviews.asked.findLast(([verb]) => verb === 'standing') ?? [];
    expect(asked?.['rounds']).to.deep.equal(
      [second, first].map((one) => ({ baseSha: shaOf('main'), snapshotSha: one.snapshotSha })),
    );
  });

  it('is measured when the base moves, and again for a host that returns', async () => {
    const { reviews, registry } = fixture.host;
    const { id } = scene.implementer;
    Object.assign(reviews, { tree: 'first', standing: 'REVIEW_TREE_STANDING_UNSPECIFIED' });
    await scene.round();
    reviews.standing = 'REVIEW_TREE_STANDING_LANDED';
    expect(await registry.baseMoved(id)).to.equal(true);
    await measured('it is measured on the new base', { treeStanding: 'REVIEW_TREE_STANDING_LANDED' });
    reviews.standing = 'REVIEW_TREE_STANDING_LANDED_MOVED';
    const { host } = await fixture.store.read(async ({ agents }) => (await agents.find(id)) ?? { host: '' });
    await registry.changes(host, '');
    await measured('it is measured for the host', { treeStanding: 'REVIEW_TREE_STANDING_LANDED_MOVED' });
    // An agent without a round is not watched on.
    expect(await registry.baseMoved(scene.other.id)).to.equal(false);
    expect((await failureOf(() => registry.baseMoved('agt_gone'))).code).to.equal('not_found');
  });

  it('rings only those reviewers for a new round that have reviewed the agent', async () => {
    const bellOf = async ({ id }: { readonly id: string }) => (await fixture.host.registry.load(id)).bell?.causes;
    await scene.round();
    await scene.release(mine(scene.reviewer));
    fixture.host.reviews.tree = 'newer';
    await scene.round(mine(scene.reviewer));
    expect(await bellOf(scene.reviewer)).to.equal(undefined);
    await scene.round(mine(scene.implementer));
    expect(await bellOf(scene.reviewer)).to.deep.equal({ DOORBELL_CAUSE_REVIEW: 1 });
    expect(await bellOf(scene.other)).to.equal(undefined);
  });
});
