import { expect } from 'chai';
import { jsonLength } from '#gateway/rpc/watch/json-length.ts';

describe('the length of JSON', () => {
  it('is estimated within a tenth for what the registry answers', () => {
    const agent = {
      id: 'agt_1',
      name: 'Mend the login',
      turns: 12,
      alive: false,
      diff: { additions: 120, deletions: 7 },
    };
    for (const answer of [
      { agents: Array.from({ length: 50 }, () => ({ agent, metadata: [{ key: 'pr', value: '12' }] })), cursor: 'c-12' },
      { content: 'a screen of text '.repeat(100), rows: 24, columns: 80 },
    ]) {
      const length = JSON.stringify(answer).length;
      expect(jsonLength(answer) / length).to.be.within(0.9, 1.1);
    }
  });

  it('counts what is nested deeply, and nothing in place of what is empty', () => {
    expect(jsonLength({ a: [{ b: { c: 'x'.repeat(1_000) } }] })).to.be.within(1_000, 1_050);
    expect(jsonLength({ rows: [] })).to.be.below(20);
    expect(jsonLength('')).to.equal(2);
  });
});
