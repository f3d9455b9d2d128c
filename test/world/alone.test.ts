import { expect } from 'chai';
import { alone } from '#world/alone.ts';

describe('alone', () => {
  it('lets one after the other at the same repository, in order, whatever becomes of each', async () => {
    const events: string[] = [];
    const work = (name: string) => async (): Promise<string> => {
      events.push(`${name} in`);
      await new Promise((resolve) => setImmediate(resolve));
      events.push(`${name} out`);
      if (name === 'b') throw new Error('b failed');
      return name;
    };
    const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => alone('/x/.git', work(name))));
    expect(events).to.deep.equal(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
    expect(all.map((one) => one.status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('keeps nobody waiting at another repository', async () => {
    const gate = Promise.withResolvers<void>();
    const held = alone('/x/.git', () => gate.promise);
    expect(await alone('/y/.git', async () => 'through')).to.equal('through');
    gate.resolve();
    await held;
  });
});
