import { expect } from 'chai';
import { cancelledBy } from '#world/concurrency/cancellation.ts';
import { withMutex } from '#world/concurrency/mutex.ts';

describe('the repository mutex', () => {
  it('runs one at a time per repository, in order, despite failures', async () => {
    const events: string[] = [];
    const work = (name: string) => async (): Promise<string> => {
      events.push(`${name} in`);
      await new Promise((resolve) => setImmediate(resolve));
      events.push(`${name} out`);
      if (name === 'b') throw new Error('b failed');
      return name;
    };
    const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => withMutex('/x/.git', work(name))));
    expect(events).to.deep.equal(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
    expect(all.map((one) => one.status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('blocks no other repository', async () => {
    const gate = Promise.withResolvers<void>();
    const held = withMutex('/x/.git', () => gate.promise);
    expect(await withMutex('/y/.git', async () => 'through')).to.equal('through');
    gate.resolve();
    await held;
  });

  it('removes cancelled work from the queue immediately, never starts it, and keeps the others in order', async () => {
    const gate = Promise.withResolvers<void>();
    const events: string[] = [];
    const held = withMutex('/x/.git', () => gate.promise);
    const abort = new AbortController();
    const waiting = cancelledBy(abort.signal, () => withMutex('/x/.git', async () => void events.push('called off')));
    const next = withMutex('/x/.git', async () => void events.push('next'));
    abort.abort(new Error('no longer wanted'));
    expect(await waiting.catch(String)).to.equal('Error: no longer wanted');
    expect(await cancelledBy(abort.signal, () => withMutex('/z', async () => 'late')).catch(String)).to.contain(
      'no longer',
    );
    gate.resolve();
    await Promise.all([held, next]);
    expect(events).to.deep.equal(['next']);
  });

  it('waits for running work that was cancelled, so that it can clean up', async () => {
    const abort = new AbortController();
    const gate = Promise.withResolvers<string>();
    const begun = Promise.withResolvers<void>();
    const work = cancelledBy(abort.signal, () =>
      withMutex('/x/.git', () => {
        begun.resolve();
        return gate.promise;
      }),
    );
    await begun.promise;
    abort.abort();
    gate.resolve('tidied');
    expect(await work).to.equal('tidied');
  });
});
