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
    const limits = { quietMs: 60_000, betweenMs: () => 0, repeats: () => true };
    const tail = new Tail({ key: 'rows', memory, listen: () => ({ close() {} }), ...limits });
    const read = (cursor: string) => tail.ask({ cursor, isFirst: false, isOnly: false, ask });
    for (const cursor of ['0', '1', '2', '3']) await read(cursor);
    expect(await read('1')).to.deep.equal({ rows: ['b'], cursor: '2', more: true });
    expect(asked).to.deep.equal(['0', '1', '2', '3', '1']);
  });
});
