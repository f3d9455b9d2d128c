import { expect } from 'chai';
import { Failure } from '#contract/failure.ts';
import { operations } from '#contract/table.ts';
import { logProbe } from '#test/bus/log-probe.ts';
import { failureOf } from '#test/support/failure.ts';
import { type As, type RegistryFixture, registryFixture } from '../registry-fixture.ts';
import { mine, type ReviewScene, reviewScene } from './review-scene.ts';

const needle = 'between the two of us';
/**
 * One waits for a bell instead of answering: that none is raised is seen by the facts. The other reports the database's
 * size.
 */
const passedOver = new Set(['WaitForDoorbells', 'RunDoctor']);

describe('an unreleased review', () => {
  let fixture: RegistryFixture;
  const log = logProbe();
  let scene: ReviewScene;
  let reviewer: As;
  let others: Readonly<Record<string, As>>;
  const heard: string[] = [];
  before(async () => {
    fixture = await registryFixture({ ceiling: 1_000, log });
    fixture.gateway.subscribe('>', (hint, subject) => void heard.push(`${subject} ${JSON.stringify(hint)}`));
    scene = await reviewScene(fixture);
    reviewer = mine(scene.reviewer);
    others = {
      'the person': 'person',
      'the agent under review': mine(scene.implementer),
      'another reviewer': mine(scene.other),
      'an orchestrator': mine(await fixture.create({ role: 'AGENT_ROLE_ORCHESTRATOR' })),
      'another implementer': mine(await fixture.create()),
    };
  });
  after(async () => {
    await fixture.close();
  });

  /** Everything that everybody else can read, refusals too. */
  async function all(): Promise<Map<string, unknown>> {
    const { id: agentId, workflowId } = scene.implementer;
    const known: Readonly<Record<string, unknown>> = {
      agentId,
      subjectId: agentId,
      workflowId,
      name: 'agent',
      id: '1',
    };
    const answers = new Map<string, unknown>();
    for (const { access, method, request } of operations) {
      if (access !== 'read' || passedOver.has(method)) continue;
      const fields = Object.keys((request as unknown as { shape: object }).shape);
      const given = Object.fromEntries(fields.filter((name) => name in known).map((name) => [name, known[name]]));
      for (const [who, as] of Object.entries(others)) {
        // Facts beside a watch are for people alone.
        const whole =
          method === 'WatchAgents' && as === 'person' ? { ...given, factKinds: ['review.', 'agent.'] } : given;
        const answer = await fixture.call(method, whole, as).catch((error: unknown) => {
          if (error instanceof Failure) return error.toJSON();
          throw error;
        });
        answers.set(`${method} of ${who}`, answer);
      }
    }
    return answers;
  }

  it('changes no answer, fact, notice, doorbell or log of others, whatever is written, changed and discarded', async () => {
    await scene.round();
    const { id: released } = await scene.comment(reviewer, { body: 'For all.' });
    await scene.release(reviewer);
    // Each reader is served at once, so its own effects are already included.
    await all();
    const before = await all();
    expect(before.size).to.be.above(80);
    heard.length = 0;

    const thread = await scene.comment(reviewer, { body: needle, suggestion: [needle], filePath: 'src/b.ts' });
    await scene.comment(reviewer, { body: needle });
    await fixture.call('ReplyReviewThread', { threadId: released, body: needle }, reviewer);
    const messageId = thread.messages[0]?.id ?? '';
    await fixture.call('EditReviewMessage', { messageId, body: `${needle}, again` }, reviewer);
    const after = await all();
    for (const [what, answer] of after) expect(answer, what).to.deep.equal(before.get(what));
    expect(JSON.stringify([...after.values()])).to.not.contain(needle);

    const ids = { threadId: thread.id, messageId, reviewId: thread.reviewId ?? '' };
    for (const [method, field] of [
      ['ReplyReviewThread', 'threadId'],
      ['DeleteReviewThread', 'threadId'],
      ['ResolveReviewThread', 'threadId'],
      ['ReopenReviewThread', 'threadId'],
      ['ApplyReviewSuggestion', 'threadId'],
      ['EditReviewMessage', 'messageId'],
      ['ListReviewThreads', 'reviewId'],
      ['ReleaseReview', 'reviewId'],
      ['MarkReviewThreadsRead', 'threadIds'],
    ] as const) {
      for (const [who, as] of Object.entries(others)) {
        const asked = (id: string) => {
          const named = field === 'threadIds' ? [id] : id;
          const words = { body: 'x', verdict: 'REVIEW_VERDICT_COMMENTED', agentId: scene.implementer.id };
          return failureOf(() => fixture.call(method, { ...words, [field]: named }, as));
        };
        const real = field === 'threadIds' ? ids.threadId : ids[field];
        const made = real.replace(/\d+$/, '999999');
        const [one, none] = [await asked(real), await asked(made)];
        expect(one.code, `${method} of ${who}`).to.be.oneOf(['not_found', 'permission_denied']);
        expect(one.message, `${method} of ${who}`).to.equal(none.message.replaceAll(made, real));
      }
    }
    await fixture.call('DiscardReview', { agentId: scene.implementer.id }, mine(scene.other));
    expect((await scene.list(reviewer)).threads, 'nobody else throws it away').to.have.length(3);

    await fixture.call('DeleteReviewThread', { threadId: thread.id }, reviewer);
    await fixture.call('DiscardReview', {}, reviewer);
    for (const [what, answer] of await all()) expect(answer, what).to.deep.equal(before.get(what));
    expect(heard.filter((one) => one.startsWith('fact.'))).to.deep.equal([]);
    // Refusals include the request; written text is not included.
    const written = log.lines.filter((line) => !line.includes('a caller was not allowed')).join('\n');
    expect(written).to.contain('ReleaseReview');
    for (const one of [needle, thread.id, messageId]) expect(written).to.not.contain(one);
  });

  it('stays its author’s when others release theirs', async () => {
    await scene.comment(reviewer, { body: needle });
    await scene.comment('person', { body: 'Mine.' });
    expect(await scene.release('person')).to.include({ comments: 1 });
    const { threads } = await scene.list(mine(scene.implementer));
    expect(JSON.stringify(threads)).to.contain('Mine.').and.not.contain(needle);
    expect(await scene.release(reviewer)).to.include({ comments: 1 });
    expect(JSON.stringify(await scene.list(mine(scene.implementer)))).to.contain(needle);
  });
});
