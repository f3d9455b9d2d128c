import { expect } from 'chai';
import { AnswerMemory } from '#gateway/rpc/watch/answer-memory.ts';
import { Tail } from '#gateway/rpc/watch/tail.ts';
import { moment } from '#test/support/moment.ts';

const answer = (text: string) => ({ answer: { rows: [text] }, at: 0, hints: 0 });

describe('the cache of watch answers', () => {
  it('drops the oldest once all exceed the limit', () => {
    const memory = new AnswerMemory({ size: 2_500, ageMs: 60_000 });
    for (const key of ['a', 'b', 'c']) memory.keep(key, answer('x'.repeat(1_000)));
    expect(memory.find('a')).to.equal(undefined);
    expect(memory.find('b')).to.not.equal(undefined);
    expect(memory.size).to.be.below(2_500);
    memory.keep('d', answer('x'.repeat(5_000)));
    expect(memory.size).to.equal(0);
  });

  it('drops all after their time, even without a read', async () => {
    const memory = new AnswerMemory({ size: 2_500, ageMs: 20 });
    memory.keep('a', answer('x'));
    await moment('it is empty', () => memory.size === 0);
  });

  it('lets a late watch read from its own cursor', async () => {
    const rows = ['a', 'b', 'c', 'd'];
    const asked: string[] = [];
    const ask = async (cursor: string) => {
      asked.push(cursor);
      const from = Number(cursor);
      return { rows: rows.slice(from, from + 1), cursor: String(Math.min(from + 1, rows.length)), more: true };
    };
    const memory = new AnswerMemory({ size: 1, ageMs: 60_000 });
    const limits = { quietMs: 60_000, betweenMs: () => 0, repeats: () => true, saysMore: true };
    const tail = new Tail({ key: 'rows', memory, ownMemory: memory, listen: () => ({ close() {} }), ...limits });
    const read = (cursor: string) => tail.ask({ cursor, isFirst: false, isOnly: false, ask });
    for (const cursor of ['0', '1', '2', '3']) await read(cursor);
    expect(await read('1')).to.deep.equal({ rows: ['b'], cursor: '2', more: true });
    expect(asked).to.deep.equal(['0', '1', '2', '3', '1']);
  });

  describe('of what only one caller gets', () => {
    const tailOf = (ownMemory: AnswerMemory) =>
      new Tail({
        key: 'rows',
        memory: new AnswerMemory(),
        ownMemory,
        listen: () => ({ close() {} }),
        quietMs: 60_000,
        betweenMs: () => 0,
        repeats: () => true,
        saysMore: true,
      });

    it('serves the other watches of that caller alone', async () => {
      const tail = tailOf(new AnswerMemory());
      const asked: string[] = [];
      const read = (whose: string, cursor: string) =>
        tail.askApart(whose, cursor, async () => {
          asked.push(whose);
          return { rows: [whose], cursor: '2' };
        });
      const together = await Promise.all([read('one', '1'), read('one', '1'), read('two', '1')]);
      expect(together.map(({ rows }) => rows)).to.deep.equal([['one'], ['one'], ['two']]);
      expect(await read('one', '1')).to.equal(together[0]);
      expect(asked).to.deep.equal(['one', 'two']);
      await read('one', '0');
      expect(asked).to.deep.equal(['one', 'two', 'one']);
    });

    it('serves no later watch with an initial list', async () => {
      const tail = tailOf(new AnswerMemory());
      let times = 0;
      const read = () =>
        tail.askApart('one', '', async () => {
          times += 1;
          return { rows: [], cursor: '1' };
        });
      await Promise.all([read(), read()]);
      await read();
      expect(times).to.equal(2);
    });

    it('serves nobody with a failure for long', async () => {
      const tail = tailOf(new AnswerMemory());
      let isAway = true;
      const read = () =>
        tail.askApart('one', '1', async () => {
          if (isAway) throw new Error('away');
          return { rows: [], cursor: '2' };
        });
      const outcomes = await Promise.allSettled([read(), read()]);
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
      isAway = false;
      expect(await read()).to.include({ cursor: '2' });
    });
  });

  for (const { what, saysMore, more, hints, asked } of [
    { what: 'asks nothing after an answer that has everything', saysMore: true, more: false, hints: 0, asked: 1 },
    { what: 'asks again after a hint', saysMore: true, more: false, hints: 1, asked: 2 },
    { what: 'asks again if the answer has more', saysMore: true, more: true, hints: 0, asked: 2 },
    { what: 'asks again if answers do not say so', saysMore: false, more: false, hints: 0, asked: 2 },
  ]) {
    it(what, async () => {
      let times = 0;
      let hint = () => {};
      const ask = async (cursor: string) => {
        times += 1;
        return times === 1 ? { rows: ['a'], cursor: '1', ...(more && { more }) } : { rows: [], cursor };
      };
      const listen = (listener: () => void) => {
        hint = listener;
        return { close() {} };
      };
      const memory = new AnswerMemory();
      const limits = { quietMs: 60_000, betweenMs: () => 0, repeats: () => true };
      const tail = new Tail({ key: 'rows', memory, ownMemory: new AnswerMemory(), listen, saysMore, ...limits });
      tail.listen(() => {});
      const read = (cursor: string) => tail.ask({ cursor, isFirst: false, isOnly: false, ask });
      expect(await read('0')).to.include({ cursor: '1' });
      for (let n = 0; n < hints; n += 1) hint();
      expect(await read('1')).to.include({ cursor: '1' });
      expect(times).to.equal(asked);
    });
  }
});
