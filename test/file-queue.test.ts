import { expect } from 'chai';
import { FileQueue, type TestEngine, type TestRun } from './file-queue.ts';

/** What files take, in milliseconds. */
const took: Readonly<Record<string, number>> = {
  'test/world/git/a.test.ts': 10,
  'test/world/b.test.ts': 50,
  'test/cli/c.test.ts': 20,
  'test/cli/d.test.ts': 25,
  'test/run.test.ts': 5,
};
const runsOf = (engine: TestEngine): TestRun[] =>
  Object.entries(took).map(([file, ms]) => ({ name: `${file} on ${engine}`, file, engine, ms }));
const queueOf = () => new FileQueue(runsOf('sqlite'));

describe('queue of test files', () => {
  it('gives one process the files of a folder, the longest first, before those of the next folder', () => {
    const queue = queueOf();
    const taken = Array.from({ length: 6 }, () => queue.take(0)?.file);
    expect(taken).to.deep.equal([
      'test/world/b.test.ts',
      'test/world/git/a.test.ts',
      'test/cli/d.test.ts',
      'test/cli/c.test.ts',
      'test/run.test.ts',
      undefined,
    ]);
    expect(queue.isEmpty).to.equal(true);
  });

  it('distributes processes over folders, and shares the last one', () => {
    const queue = queueOf();
    expect([0, 1, 2].map((who) => queue.take(who)?.file)).to.deep.equal([
      'test/world/b.test.ts',
      'test/cli/d.test.ts',
      'test/cli/c.test.ts',
    ]);
    expect(queue.leaves(0)).to.equal(false);
    expect(queue.leaves(1)).to.equal(true);
    expect(queue.take(1)?.file).to.equal('test/world/git/a.test.ts');
  });

  it('begins a file that takes long before a folder that takes longer in all, so that it is not alone at the end', () => {
    const many = Array.from({ length: 20 }, (_, at) => `test/cli/short-${at}.test.ts`);
    const runs = [...many, 'test/move/move.test.ts'].map((file) => ({
      name: file,
      file,
      engine: 'sqlite' as const,
      ms: file.includes('move') ? 100 : 10,
    }));
    expect(new FileQueue(runs).take(0)?.file).to.equal('test/move/move.test.ts');
  });

  it('keeps the engines apart, and names the next one', () => {
    const queue = new FileQueue([...runsOf('sqlite'), ...runsOf('postgres')]);
    const engines = Array.from({ length: 10 }, () => [queue.next(0)?.engine, queue.take(0)?.engine]);
    expect(engines.every(([next, taken]) => next === taken)).to.equal(true);
    expect(engines.slice(0, 4)).to.deep.equal([
      ['sqlite', 'sqlite'],
      ['sqlite', 'sqlite'],
      ['postgres', 'postgres'],
      ['postgres', 'postgres'],
    ]);
  });

  it('returns nothing after it is cleared', () => {
    const queue = queueOf();
    queue.take(0);
    queue.clear();
    expect([queue.isEmpty, queue.take(0), queue.take(1)]).to.deep.equal([true, undefined, undefined]);
  });
});
