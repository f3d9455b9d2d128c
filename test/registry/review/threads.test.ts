import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type As, type RegistryFixture, registryFixture } from '../registry-fixture.ts';
import { mine, type ReviewScene, reviewScene } from './review-scene.ts';

describe('threads of reviews', () => {
  let fixture: RegistryFixture;
  let scene: ReviewScene;
  let implementer: As;
  let reviewer: As;
  before(async () => {
    fixture = await registryFixture({ ceiling: 1_000 });
  });
  beforeEach(async () => {
    scene = await reviewScene(fixture);
    implementer = mine(scene.implementer);
    reviewer = mine(scene.reviewer);
    Object.assign(fixture.host.reviews, { tree: 'first', base: 'main', mismatch: undefined, refusal: undefined });
  });
  after(() => fixture.close());

  it('are unread after the agent’s reply until the person reads it, and resolved only by a person', async () => {
    await scene.round();
    const { id: threadId } = await scene.comment('person');
    expect(await failureOf(() => fixture.call('ResolveReviewThread', { threadId }))).to.include({
      code: 'failed_precondition',
    });
    await scene.release('person');
    await fixture.call('ReplyReviewThread', { threadId, body: 'Done.' }, implementer);
    expect((await scene.list('person', { unreadByHuman: true })).threads).to.have.length(1);
    await fixture.call('MarkReviewThreadsRead', { threadIds: [threadId] });
    expect((await scene.list('person', { unreadByHuman: true })).threads).to.have.length(0);
    fixture.clock.pass(1_000);
    const resolve = () => fixture.call<{ thread: { resolvedAt: string } }>('ResolveReviewThread', { threadId });
    const { thread } = await resolve();
    expect(thread.resolvedAt).to.equal(new Date(fixture.clock.now()).toISOString());
    fixture.clock.pass(1_000);
    expect((await resolve()).thread.resolvedAt).to.equal(thread.resolvedAt);
    expect((await scene.list(implementer, { resolved: false })).threads).to.deep.equal([]);
    expect((await scene.list(implementer, { resolved: true })).threads).to.have.length(1);
    await fixture.call('ReopenReviewThread', { threadId });
    expect((await scene.list(implementer, { resolved: false })).threads[0]).to.not.have.property('resolvedAt');
    expect((await scene.facts()).map(({ kind }) => kind)).to.deep.equal([
      'review.reopened',
      'review.resolved',
      'review.looked-at',
      'review.answered',
      'review.released',
      'review.round-started',
    ]);
  });

  it('are counted on the row if a person has not read them, which watchers see', async () => {
    await scene.round();
    const [{ id: first }, { id: second }] = [await scene.comment('person'), await scene.comment('person')];
    await scene.release('person');
    let { cursor } = await fixture.call<{ cursor: string }>('WatchAgents');
    const moved = async () => {
      const { id } = scene.implementer;
      for (;;) {
        const answer = await fixture.call<{ agents: AgentRow[]; cursor: string }>('WatchAgents', { cursor });
        cursor = answer.cursor;
        const row = answer.agents.find(({ agent }) => agent?.id === id);
        if (row !== undefined || answer.agents.length === 0) return row;
      }
    };
    await moved();
    const unread = async () => (await scene.row()).unreadReviewThreads ?? 0;
    const reply = (threadId: string) => fixture.call('ReplyReviewThread', { threadId, body: 'Done.' }, implementer);
    expect(await unread()).to.equal(0);
    await reply(first);
    await reply(first);
    expect(await unread()).to.equal(1);
    await reply(second);
    expect((await moved())?.unreadReviewThreads).to.equal(2);
    await fixture.call('ResolveReviewThread', { threadId: first });
    expect((await moved())?.unreadReviewThreads).to.equal(1);
    await fixture.call('MarkReviewThreadsRead', { threadIds: [first, second] });
    expect(await unread()).to.equal(0);
    expect((await moved())?.unreadReviewThreads ?? 0).to.equal(0);
    await fixture.call('MarkReviewThreadsRead', { threadIds: [first, second] });
    expect(await moved(), 'nothing moved').to.equal(undefined);
  });

  it('are listed by round, file and review, in pages, with their places in the newest round', async () => {
    const first = await scene.round();
    for (const filePath of ['a', 'b', 'c']) {
      fixture.clock.pass(10);
      await scene.comment(reviewer, { filePath });
    }
    const review = await scene.release(reviewer);
    fixture.host.reviews.tree = 'second';
    const second = await scene.round();
    await scene.comment('person', { filePath: 'a', snapshotSha: second.snapshotSha });
    await scene.release('person');
    fixture.host.reviews.placement = { state: 'moved', filePath: 'z', newStart: 9, newEnd: 10 };
    const { threads } = await scene.list(implementer);
    expect(threads.map(({ place }) => place?.state)).to.have.members([
      undefined,
      ...Array(3).fill('REVIEW_PLACE_STATE_MOVED'),
    ]);
    expect(threads.find(({ place }) => place)).to.include({ newStart: 3, newEnd: 4, roundId: first.id });
    expect(threads.find(({ place }) => place)?.place).to.deep.equal({
      state: 'REVIEW_PLACE_STATE_MOVED',
      roundId: second.id,
      roundOrdinal: 2,
      filePath: 'z',
      newStart: 9,
      newEnd: 10,
    });
    const files = async (request: object) =>
      (await scene.list('person', request)).threads.map(({ filePath }) => filePath);
    expect(await files({ roundId: first.id, filePath: 'b' })).to.deep.equal(['b']);
    expect(await files({ filePath: 'a' })).to.have.length(2);
    expect(await files({ reviewId: review.id })).to.have.members(['a', 'b', 'c']);
    const page = await scene.list('person', { pagination: { pageSize: 3 } });
    const rest = await scene.list('person', { pagination: { pageSize: 3, cursor: page.nextPageToken } });
    expect(new Set([...page.threads, ...rest.threads].map(({ id }) => id)).size).to.equal(4);
    expect(rest).to.not.have.property('nextPageToken');
    const cursor = page.nextPageToken;
    expect(await failureOf(() => files({ filePath: 'a', pagination: { cursor } }))).to.include({
      code: 'invalid_argument',
    });
    // Where the host cannot say it, the listing is there anyway.
    await fixture.host.fallSilent();
    expect((await scene.list('person')).threads.every(({ place }) => place === undefined)).to.equal(true);
    await fixture.host.start();
  });

  it('are claimed only by a claim, and by no listing', async () => {
    await scene.round();
    await scene.comment(reviewer);
    await scene.release(reviewer);
    const states = async () => {
      const { threads } = await scene.list('person');
      return threads.map(({ messages }) => messages[0]?.delivery?.replace('REVIEW_DELIVERY_STATE_', ''));
    };
    for (const which of [{}, { resolved: true }, { unreadByHuman: true }]) await scene.list(implementer, which);
    expect(await states()).to.deep.equal(['SENT']);
    await fixture.call('ClaimDoorbells', {}, implementer);
    expect(await states()).to.deep.equal(['DELIVERED']);
  });

  it('let the agent apply a suggestion while its lines are unchanged', async () => {
    const round = await scene.round();
    const { id: threadId } = await scene.comment(reviewer, { suggestion: ['one', 'two'] });
    const apply = (as: As = implementer, request: object = {}) =>
      fixture.call('ApplyReviewSuggestion', { threadId, ...request }, as);
    expect(await failureOf(() => apply())).to.include({ code: 'not_found' });
    await scene.release(reviewer);
    expect(await apply()).to.deep.equal({ filePath: 'src/a.ts', start: 3, end: 4 });
    const [, asked] = fixture.host.reviews.asked.at(-1) ?? [];
    expect(asked).to.deep.include({
      snapshotSha: round.snapshotSha,
      suggestion: ['one', 'two'],
      newStart: 3,
      newEnd: 4,
    });
    expect(await failureOf(() => apply(reviewer))).to.include({ code: 'permission_denied' });
    expect(await failureOf(() => apply(implementer, { messageId: 'msg_x' }))).to.include({ code: 'not_found' });
    fixture.host.reviews.mismatch = { message: 'gone', stands: [] };
    expect(await failureOf(() => apply())).to.include({ code: 'failed_precondition' });
    fixture.host.reviews.mismatch = undefined;
    await fixture.call('HoldAgent', { agentId: scene.implementer.id });
    expect(await failureOf(() => apply())).to.include({ code: 'failed_precondition' });
  });

  it('do not apply a suggestion if the agent is held by then', async () => {
    await scene.round();
    const { id: threadId } = await scene.comment(reviewer, { suggestion: ['one', 'two'] });
    await scene.release(reviewer);
    const { host } = fixture;
    const isHeld = Promise.withResolvers<void>();
    const applied = () => host.reviews.done.filter((verb) => verb === 'applySuggestion').length;
    const [asked, done] = [host.reviews.count('applySuggestion'), applied()];
    host.beforePermit = isHeld.promise;
    const refused = failureOf(() => fixture.call('ApplyReviewSuggestion', { threadId }, implementer));
    await moment('the host is asked', () => host.reviews.count('applySuggestion') > asked);
    await fixture.call('HoldAgent', { agentId: scene.implementer.id });
    isHeld.resolve();
    expect((await refused).code).to.equal('failed_precondition');
    expect(applied()).to.equal(done);
  });

  it('are deleted with the agent, and so are its unreleased ones', async () => {
    await scene.round();
    const { id: threadId } = await scene.comment(reviewer);
    await scene.release(reviewer);
    await scene.comment(reviewer, { body: 'Never told.' });
    await fixture.call('DeleteAgent', { agentId: scene.reviewer.id, force: true });
    await fixture.host.tell(scene.reviewer.id, { type: 'PANE_CLOSED' });
    const { threads } = await scene.list('person');
    expect(threads.map(({ id }) => id)).to.deep.equal([threadId]);
    expect(threads[0]?.messages[0]).to.not.have.property('authorAgentId');
    expect(threads[0]?.messages[0]).to.include({ authorKind: 'REVIEW_AUTHOR_KIND_AGENT' });
    const { id } = scene.implementer;
    await fixture.call('DeleteAgent', { agentId: id, force: true });
    await moment('the agent is gone', async () => {
      const { effects } = await fixture.host.registry.load(id);
      if (effects.length > 0) await fixture.host.tell(id, { type: 'PANE_CLOSED' });
      return fixture.store.read(async ({ agents }) => (await agents.find(id))?.standing === 'gone');
    });
    const left = await fixture.store.read(async ({ reviews, rounds }) => [
      await reviews.thread(threadId),
      await rounds.newest(id),
    ]);
    expect(left).to.deep.equal([undefined, undefined]);
  });
});
