import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';
import { reviewScene } from './review-scene.ts';

describe('a round that another registry cuts at the same time', () => {
  let fixture: RegistryFixture;
  beforeEach(async () => {
    fixture = await registryFixture();
  });
  afterEach(() => fixture.close());

  it('is refused, and keeps the other one’s reference', async () => {
    const scene = await reviewScene(fixture);
    const { reviews } = fixture.host;
    const first = await scene.round();
    reviews.tree = 'second';
    const answer = Promise.withResolvers<void>();
    reviews.pause = answer.promise;
    const before = reviews.count('cutRound');
    const overtaken = failureOf(() => scene.round());
    await moment('the host is asked', () => reviews.count('cutRound') > before);
    // As another registry does once it holds the lock that this one has lost.
    await fixture.store.write(async ({ rounds }) => {
      const newest = await rounds.newest(scene.implementer.id);
      if (newest !== undefined) await rounds.insert({ ...newest, id: 'rnd_other', ordinal: newest.ordinal + 1 });
    });
    reviews.pause = Promise.resolve();
    answer.resolve();
    expect((await overtaken).reason).to.equal('STALE_VERSION');
    expect(reviews.asked.at(-1)?.[0], 'the reference is that of the other one').to.equal('cutRound');
    const { rounds } = await fixture.call<{ rounds: { ordinal: number }[] }>('ListReviewRounds', {
      agentId: scene.implementer.id,
    });
    expect(rounds.map(({ ordinal }) => ordinal).toSorted()).to.deep.equal([first.ordinal, (first.ordinal ?? 0) + 1]);
  });
});
