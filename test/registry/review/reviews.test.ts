import { expect } from 'chai';
import { reviewGuides } from '#contract/agent/review-guide.ts';
import type { Doorbell } from '#contract/doorbell.ts';
import { failureOf } from '#test/support/failure.ts';
import { type As, type RegistryFixture, registryFixture } from '../registry-fixture.ts';
import { shaOf } from './fake-reviews.ts';
import { mine, type ReviewScene, reviewScene } from './review-scene.ts';

describe('reviews', () => {
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
    Object.assign(fixture.host.reviews, {
      tree: 'first',
      base: 'main',
      isEmpty: false,
      mismatch: undefined,
      refusal: undefined,
    });
  });
  after(() => fixture.close());

  const claim = async () =>
    (await fixture.call<{ doorbells: Doorbell[] }>('ClaimDoorbells', {}, implementer)).doorbells;
  const bell = async () => (await fixture.host.registry.load(scene.implementer.id)).bell;

  it('explain an agent’s part with its first doorbell, and with no later one', async () => {
    const claimed = (as = implementer) =>
      fixture.call<{ doorbells: Doorbell[]; briefing?: string }>('ClaimDoorbells', {}, as);
    await fixture.call('SendMail', { agentId: scene.implementer.id, body: 'Hello' });
    expect((await claimed()).briefing, 'mail is no review').to.equal(undefined);
    for (const briefing of [reviewGuides.AGENT_ROLE_IMPLEMENTER, undefined]) {
      await scene.round();
      await scene.comment(reviewer);
      await scene.release(reviewer);
      expect((await claimed()).briefing).to.equal(briefing);
    }
    expect((await claimed(reviewer)).briefing).to.equal(reviewGuides.AGENT_ROLE_REVIEWER);
    expect((await claimed(reviewer)).briefing, 'nothing was claimed').to.equal(undefined);
  });

  it('have no round of unchanged work, but one of work that was undone', async () => {
    const { reviews } = fixture.host;
    reviews.isEmpty = true;
    const refused = await failureOf(() => scene.round());
    expect(refused).to.include({ code: 'failed_precondition', reason: 'NOTHING_TO_REVIEW' });
    expect(refused.message).to.match(/has changed nothing compared with its base/);
    expect((await failureOf(() => scene.round(implementer))).reason).to.equal('NOTHING_TO_REVIEW');
    expect(reviews.asked.at(-1)?.[0], 'its reference goes').to.equal('dropRounds');
    reviews.isEmpty = false;
    const first = await scene.round();
    Object.assign(reviews, { isEmpty: true, tree: 'as the base' });
    expect((await scene.round()).ordinal).to.equal((first.ordinal ?? 0) + 1);
    reviews.base = 'main with it';
    expect((await failureOf(() => scene.round())).reason).to.equal('NOTHING_TO_REVIEW');
  });

  it('anchor a comment in its snapshot’s round, as it was written', async () => {
    const first = await scene.round();
    fixture.host.reviews.tree = 'second';
    const second = await scene.round();
    expect([first.ordinal, second.ordinal]).to.deep.equal([1, 2]);
    const thread = await scene.comment(reviewer, {
      snapshotSha: first.snapshotSha,
      oldStart: 7,
      oldEnd: 7,
      suggestion: ['  b();', ''],
    });
    expect(thread).to.include({
      agentId: scene.implementer.id,
      roundId: first.id,
      roundOrdinal: 1,
      baseSha: shaOf('main'),
      filePath: 'src/a.ts',
      oldStart: 7,
      oldEnd: 7,
      newStart: 3,
      newEnd: 4,
    });
    expect(thread.quotedLines).to.deep.equal(['+b', ' c']);
    const [message] = thread.messages;
    expect(message).to.include({
      authorKind: 'REVIEW_AUTHOR_KIND_AGENT',
      authorAgentId: scene.reviewer.id,
      body: 'Name it what it is.',
      delivery: 'REVIEW_DELIVERY_STATE_UNSENT',
      reviewId: thread.reviewId,
    });
    expect(message?.suggestion).to.deep.equal(['  b();', '']);
    expect(message).to.not.have.any.keys('sentAt', 'deliveredAt');
    const [, asked] = fixture.host.reviews.asked.findLast(([verb]) => verb === 'anchorThread') ?? [];
    expect(asked).to.include({ snapshotSha: first.snapshotSha, baseSha: shaOf('main'), hasSuggestion: true });
    const narrowed = await scene.comment(reviewer, { snapshotSha: second.snapshotSha, baseSha: first.snapshotSha });
    expect(narrowed).to.include({ roundOrdinal: 2, baseSha: first.snapshotSha, reviewId: thread.reviewId });
    expect(narrowed.id).to.not.equal(thread.id);
  });

  it('anchor a comment without a snapshot in the round that its author read, not in the newest', async () => {
    const first = await scene.round();
    await fixture.call('GetReviewDiff', {}, reviewer);
    fixture.host.reviews.tree = 'second';
    await scene.round();
    expect(await scene.comment(reviewer)).to.include({ roundId: first.id });
    // An author who has read none means the newest.
    expect(await scene.comment(mine(scene.other))).to.include({ roundOrdinal: 2 });
  });

  it('refuse an invalid comment with a reason, and store none of it', async () => {
    expect(await failureOf(() => scene.comment(reviewer))).to.include({ code: 'failed_precondition' });
    const round = await scene.round();
    fixture.host.reviews.tree = 'second';
    const later = await scene.round();
    for (const [request, code, says] of [
      [{ body: '' }, 'invalid_argument', 'body'],
      [{ body: ' \n' }, 'invalid_argument', 'body'],
      [{ body: 'x'.repeat(1_001) }, 'invalid_argument', '1000'],
      [{ body: '😀'.repeat(1_001) }, 'invalid_argument', '1000'],
      [{ filePath: '' }, 'invalid_argument', 'filePath'],
      [{ agentId: '' }, 'invalid_argument', 'agentId'],
      [{ newEnd: 0 }, 'invalid_argument', 'newEnd'],
      [{ newStart: 5 }, 'invalid_argument', 'newStart'],
      [{ newStart: -1 }, 'invalid_argument', 'newStart'],
      [{ oldStart: 3 }, 'invalid_argument', 'oldStart'],
      [{ newStart: 0, newEnd: 0, quotedLines: [], suggestion: ['x'] }, 'invalid_argument', 'suggestion'],
      [{ newStart: 0, newEnd: 0 }, 'invalid_argument', 'quotedLines'],
      [{ suggestion: ['a\nb'] }, 'invalid_argument', 'suggestion[0]'],
      [{ suggestion: Array(1_001).fill('') }, 'invalid_argument', '1001 lines'],
      [{ suggestion: ['x'.repeat(100_001)] }, 'invalid_argument', '100001 characters'],
      [{ quotedLines: Array(10_001).fill(' ') }, 'invalid_argument', '10001'],
      [{ snapshotSha: 'HEAD' }, 'not_found', 'snapshotSha'],
      [{ snapshotSha: shaOf('nothing') }, 'not_found', 'snapshotSha'],
      [{ baseSha: shaOf('nothing') }, 'invalid_argument', 'baseSha'],
      [{ snapshotSha: round.snapshotSha, baseSha: later.snapshotSha }, 'invalid_argument', 'baseSha'],
      [{ snapshotSha: round.snapshotSha, baseSha: round.snapshotSha }, 'invalid_argument', 'baseSha'],
      [{ agentId: 'agt_none' }, 'permission_denied', 'agt_none'],
      [{ agentId: scene.other.id }, 'permission_denied', scene.other.id],
    ] as const) {
      const failure = await failureOf(() => scene.comment(reviewer, request));
      expect(failure, JSON.stringify(request)).to.include({ code });
      expect(failure.message).to.contain(says);
    }
    fixture.host.reviews.mismatch = { message: 'line 3 is another one', stands: [' x', '+y'] };
    const mismatch = await failureOf(() => scene.comment(reviewer));
    expect(mismatch).to.include({ code: 'invalid_argument' });
    expect(mismatch.message).to.equal('line 3 is another one\nThe file has:\n x\n+y');
    expect((await scene.list(reviewer)).threads).to.deep.equal([]);
    fixture.host.reviews.mismatch = undefined;
    for (const as of [implementer, mine({ id: (await fixture.create({ role: 'AGENT_ROLE_REVIEWER' })).id })]) {
      expect(await failureOf(() => scene.comment(as))).to.include({ code: 'permission_denied' });
    }
    expect((await scene.comment(reviewer, { body: '😀'.repeat(1_000) })).messages[0]?.body).to.have.length(2_000);
  });

  it('are released together with one doorbell, a verdict on the row and one fact', async () => {
    const round = await scene.round();
    const threads = [await scene.comment(reviewer), await scene.comment(reviewer, { filePath: 'src/b.ts' })];
    fixture.clock.pass(1_000);
    const review = await scene.release(reviewer);
    expect(review).to.include({
      id: threads[0]?.reviewId,
      state: 'REVIEW_STATE_RELEASED',
      verdict: 'REVIEW_VERDICT_CHANGES_REQUESTED',
      summary: 'Two things',
      roundId: round.id,
      roundOrdinal: 1,
      comments: 2,
    });
    expect((await bell())?.causes).to.deep.equal({ DOORBELL_CAUSE_REVIEW: 2 });
    expect(await scene.row()).to.include({
      localReviewRounds: 1,
      localReviewVerdict: 'REVIEW_VERDICT_CHANGES_REQUESTED',
    });
    expect((await scene.facts()).map(({ kind }) => kind)).to.deep.equal(['review.released', 'review.round-started']);
    // A repeat that names the review answers with it, and one that says nothing new too.
    expect(await scene.release(reviewer, { reviewId: review.id, verdict: 'REVIEW_VERDICT_APPROVED' })).to.deep.equal(
      review,
    );
    const again = await Promise.all([scene.release(reviewer), scene.release(reviewer)]);
    expect(again).to.deep.equal([review, review]);
    expect((await bell())?.causes).to.deep.equal({ DOORBELL_CAUSE_REVIEW: 2 });
    const { threads: seen, reviews } = await scene.list(implementer);
    expect(seen.map(({ id }) => id).toSorted()).to.deep.equal(threads.map(({ id }) => id).toSorted());
    expect(reviews).to.deep.equal([review]);
    for (const [at, expected] of [
      [0, 'snapshotSha'],
      [1, 'verdict'],
    ] as const) {
      const request = [{ snapshotSha: shaOf('x') }, { verdict: 'REVIEW_VERDICT_UNSPECIFIED' }][at];
      const failure = await failureOf(() => scene.release(reviewer, request));
      expect(failure.message).to.contain(expected);
    }
    // Another verdict is new, and so is the same one once it was answered.
    expect((await scene.release(reviewer, { verdict: 'REVIEW_VERDICT_APPROVED' })).id).to.not.equal(review.id);
    const last = await scene.release(reviewer);
    expect(last.id).to.not.equal(review.id);
    fixture.clock.pass(1_000);
    await fixture.call('ReplyReviewThread', { threadId: threads[0]?.id, body: 'Done.' }, implementer);
    expect((await scene.release(reviewer)).id).to.not.equal(last.id);
  });

  it('refuse a verdict without comment or summary, unless it approves, without effect', async () => {
    await scene.round();
    for (const verdict of ['REVIEW_VERDICT_CHANGES_REQUESTED', 'REVIEW_VERDICT_COMMENTED']) {
      for (const summary of ['', ' \n']) {
        const failure = await failureOf(() => scene.release(reviewer, { verdict, summary }));
        expect(failure).to.include({ code: 'failed_precondition', reason: 'REVIEW_EMPTY', field: 'summary' });
      }
    }
    expect((await scene.list('person')).reviews).to.deep.equal([]);
    await scene.comment(reviewer);
    expect(await scene.release(reviewer, { summary: '' })).to.include({ comments: 1 });
    expect(await scene.release(reviewer, { verdict: 'REVIEW_VERDICT_APPROVED', summary: '' })).to.include({
      verdict: 'REVIEW_VERDICT_APPROVED',
    });
  });

  it('derive each comment’s delivery state from its doorbell', async () => {
    await scene.round();
    const delivered = async () =>
      (await scene.list('person')).threads.map(({ messages }) => [messages[0]?.delivery, messages[0]?.deliveredAt]);
    await scene.comment(reviewer);
    await scene.release(reviewer);
    expect(await delivered()).to.deep.equal([['REVIEW_DELIVERY_STATE_SENT', undefined]]);
    fixture.clock.pass(20_000);
    const [claimed] = await claim();
    expect(claimed?.causes).to.deep.equal([{ cause: 'DOORBELL_CAUSE_REVIEW', count: 1 }]);
    const at = new Date(fixture.clock.now()).toISOString();
    expect(await delivered()).to.deep.equal([['REVIEW_DELIVERY_STATE_DELIVERED', at]]);
    // A later release is not delivered by it, although the clock is stopped.
    await scene.comment(mine(scene.other));
    await scene.release(mine(scene.other));
    expect((await delivered()).toSorted()).to.deep.equal([
      ['REVIEW_DELIVERY_STATE_DELIVERED', at],
      ['REVIEW_DELIVERY_STATE_SENT', undefined],
    ]);
    // Archived before it claims, it is called again when it is back, and delivery follows the new doorbell.
    await fixture.call('ArchiveAgent', { agentId: scene.implementer.id });
    await fixture.host.tell(scene.implementer.id, { type: 'PANE_CLOSED' });
    expect((await delivered()).map(([state]) => state)).to.include('REVIEW_DELIVERY_STATE_SENT');
    await fixture.call('RestoreAgent', { agentId: scene.implementer.id });
    await fixture.host.tell(scene.implementer.id, { type: 'WINDOW_OPENED', paneId: '%2' });
    expect((await bell())?.causes).to.deep.equal({ DOORBELL_CAUSE_REVIEW: 1 });
    // To list what it was called to claims nothing.
    await fixture.call('SendMail', { agentId: scene.implementer.id, body: 'hello' });
    await scene.list(implementer);
    expect((await delivered()).map(([state]) => state)).to.include('REVIEW_DELIVERY_STATE_SENT');
    expect((await bell())?.causes).to.deep.equal({ DOORBELL_CAUSE_REVIEW: 1, DOORBELL_CAUSE_MAIL: 1 });
    await claim();
    expect((await delivered()).map(([state]) => state)).to.deep.equal(Array(2).fill('REVIEW_DELIVERY_STATE_DELIVERED'));
    // Doorbells that comments hang on are not forgotten before the agent is.
    fixture.clock.pass(90 * 86_400_000);
    await fixture.restart();
    await fixture.host.beat();
    expect((await delivered()).map(([state]) => state)).to.deep.equal(Array(2).fill('REVIEW_DELIVERY_STATE_DELIVERED'));
  });

  it('are changed and discarded only by their author, and only until their release', async () => {
    await scene.round();
    const thread = await scene.comment(reviewer, { suggestion: ['x'] });
    const [message] = thread.messages;
    const messageId = message?.id ?? '';
    const edit = (as: As, body = 'Better said.') => fixture.call('EditReviewMessage', { messageId, body }, as);
    const remove = (as: As) => fixture.call('DeleteReviewThread', { threadId: thread.id }, as);
    for (const as of [mine(scene.other), 'person'] as const) {
      expect(await failureOf(() => edit(as))).to.include({ code: 'not_found' });
      expect(await failureOf(() => remove(as))).to.include({ code: 'not_found' });
    }
    fixture.clock.pass(5);
    await edit(reviewer);
    const [edited] = (await scene.list(reviewer)).threads[0]?.messages ?? [];
    expect(edited).to.include({ body: 'Better said.' }).and.have.property('suggestion').that.deep.equals([]);
    const second = await scene.comment(reviewer);
    await fixture.call('DeleteReviewThread', { threadId: second.id }, reviewer);
    expect((await scene.list(reviewer)).threads.map(({ id }) => id)).to.deep.equal([thread.id]);
    expect((await scene.list(reviewer)).reviews[0]).to.include({ comments: 1, state: 'REVIEW_STATE_OPEN' });
    expect(await scene.release(reviewer)).to.include({ comments: 1 });
    expect(await failureOf(() => edit(reviewer))).to.include({ code: 'failed_precondition' });
    expect(await failureOf(() => remove(reviewer))).to.include({ code: 'failed_precondition' });
    expect(await failureOf(() => edit('person'))).to.include({ code: 'permission_denied' });
    // Discarding takes all of a batch, also what it said in threads of others.
    await scene.comment(reviewer);
    await fixture.call('ReplyReviewThread', { threadId: thread.id, body: 'And this.' }, reviewer);
    const discarded = await fixture.call<{ review?: object }>('DiscardReview', {}, reviewer);
    expect(discarded.review).to.include({ state: 'REVIEW_STATE_DISCARDED' });
    expect(await fixture.call('DiscardReview', {}, reviewer)).to.deep.equal({});
    expect((await scene.list(reviewer)).threads.map(({ id, messages }) => [id, messages.length])).to.deep.equal([
      [thread.id, 1],
    ]);
  });

  it('are answered by the agent at once, and by others with their next release', async () => {
    await scene.round();
    const { id: threadId } = await scene.comment(reviewer);
    await scene.release(reviewer);
    const reply = (as: As, body: string) => fixture.call('ReplyReviewThread', { threadId, body }, as);
    await reply(implementer, 'Done.');
    await reply('person', 'Not quite.');
    await reply(reviewer, 'Better.');
    const bodies = async (as: As) => (await scene.list(as)).threads[0]?.messages.map(({ body }) => body);
    expect(await bodies(implementer)).to.deep.equal(['Name it what it is.', 'Done.']);
    expect(await bodies('person')).to.deep.equal(['Name it what it is.', 'Done.', 'Not quite.']);
    expect(await bodies(reviewer)).to.deep.equal(['Name it what it is.', 'Done.', 'Better.']);
    await scene.release('person', { verdict: 'REVIEW_VERDICT_COMMENTED' });
    const messages = (await scene.list(implementer)).threads[0]?.messages ?? [];
    expect(
      messages.map(({ authorKind, authorAgentId, reviewId, delivery }) => [
        authorKind,
        authorAgentId,
        !!reviewId,
        delivery,
      ]),
    ).to.deep.equal([
      ['REVIEW_AUTHOR_KIND_AGENT', scene.reviewer.id, true, 'REVIEW_DELIVERY_STATE_SENT'],
      ['REVIEW_AUTHOR_KIND_AGENT', scene.implementer.id, false, undefined],
      ['REVIEW_AUTHOR_KIND_HUMAN', undefined, true, 'REVIEW_DELIVERY_STATE_SENT'],
    ]);
  });
});
