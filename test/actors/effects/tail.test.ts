import { expect } from 'chai';
import { Tail } from '#actors/host/effects/tail.ts';

describe('the tail of a growing text', () => {
  it('keeps all of it while it fits', () => {
    const tail = new Tail(10);
    tail.add('12345');
    tail.add('67890');
    expect(tail.kept()).to.deep.equal({ output: '1234567890', cut: false });
  });

  it('keeps the last bytes, however it was split, and counts all bytes', () => {
    for (const size of [1, 3, 7, 1_000]) {
      const tail = new Tail(10);
      const text = Array.from({ length: 100 }, (_, at) => String(at % 10)).join('');
      for (let at = 0; at < text.length; at += size) tail.add(text.slice(at, at + size));
      expect(tail.kept(), `in pieces of ${size}`).to.deep.equal({ output: '0123456789', cut: true });
      expect(tail.added).to.equal(100);
    }
  });

  it('never begins within a character', () => {
    const tail = new Tail(10);
    tail.add('漢字'.repeat(50));
    expect(tail.kept()).to.deep.equal({ output: '字漢字', cut: true });
  });
});
