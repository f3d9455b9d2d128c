import { expect } from 'chai';
import { type StoreFixture, storeFixture } from './store-fixture.ts';

describe('the log of facts', () => {
  let fixture: StoreFixture;
  let written: bigint[] = [];

  beforeEach(async () => {
    written = [];
    fixture = await storeFixture();
  });
  afterEach(() => fixture.close());

  /** Writes facts, one a second. */
  async function write(count: number): Promise<void> {
    for (let made = 0; made < count; made += 1) {
      const fact = { kind: 'agent.changed', subjectId: 'a', detail: {} };
      written.push((await fixture.store.write(({ facts }) => facts.append([fact]))) ?? 0n);
      fixture.clock.pass(1_000);
    }
  }
  const prune = (secondsAgo: number, keep: number, limit = 100) =>
    fixture.store.write(({ facts }) => facts.prune({ before: fixture.clock.now() - secondsAgo * 1_000, keep, limit }));
  /** Which of the facts are there, counted from one. */
  const places = async () => {
    const found = await fixture.store.read(({ facts }) => facts.after(0n, 100));
    return found.map(({ seq }) => written.indexOf(seq) + 1);
  };

  it('prunes facts that are old and not among the newest, oldest first', async () => {
    await write(6);
    expect(await prune(4, 1)).to.equal(2);
    expect(await places()).to.deep.equal([3, 4, 5, 6]);
    expect(await prune(0, 3)).to.equal(1);
    expect(await places()).to.deep.equal([4, 5, 6]);
    expect(await prune(60, 1)).to.equal(0);
    expect(await prune(0, 3)).to.equal(0);
    expect(await fixture.store.read(({ facts }) => facts.firstSeq())).to.equal(written[3]);
  });

  it('prunes no more at once than requested', async () => {
    await write(6);
    expect(await prune(0, 1, 2)).to.equal(2);
    expect(await prune(0, 1, 2)).to.equal(2);
    expect(await prune(0, 1, 2)).to.equal(1);
    expect(await places()).to.deep.equal([6]);
  });

  it('never reuses a position, even if all later facts were pruned', async () => {
    await write(3);
    await prune(0, 0);
    expect(await fixture.store.read(({ facts }) => facts.firstSeq())).to.equal(undefined);
    await write(1);
    expect(await places()).to.deep.equal([4]);
  });

  it('keeps facts after a kept one, even if a clock set back makes them older', async () => {
    await write(1);
    fixture.clock.pass(-100_000);
    await write(2);
    fixture.clock.pass(100_000);
    expect(await prune(50, 1)).to.equal(0);
  });
});
