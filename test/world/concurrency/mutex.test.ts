import { expect } from 'chai';
import { cancelledBy, cancelSignal } from '#world/concurrency/cancellation.ts';
import { withMutex } from '#world/concurrency/mutex.ts';

describe('work within a mutex', () => {
  it('runs in the order of the requests, one at a time for each key', async () => {
    const gate = Promise.withResolvers<void>();
    const seen: string[] = [];
    const first = withMutex('a', async () => {
      seen.push('first begins');
      await gate.promise;
      seen.push('first ends');
    });
    const second = withMutex('a', async () => void seen.push('second'));
    await withMutex('b', async () => void seen.push('another key'));
    gate.resolve();
    await Promise.all([first, second]);
    expect(seen).to.deep.equal(['first begins', 'another key', 'first ends', 'second']);
  });

  it('continues after a failure, thrown at once or later', async () => {
    const thrown = withMutex('a', () => {
      throw new Error('at once');
    });
    const rejected = withMutex('a', async () => {
      throw new Error('later');
    });
    const said = await Promise.allSettled([thrown, rejected]);
    expect(said.map((one) => one.status === 'rejected' && String(one.reason))).to.deep.equal([
      'Error: at once',
      'Error: later',
    ]);
    expect(await withMutex('a', async () => 1)).to.equal(1);
  });

  it('leaves the queue at once when cancelled, and never starts', async () => {
    const gate = Promise.withResolvers<void>();
    const first = withMutex('a', () => gate.promise);
    const off = new AbortController();
    let begun = false;
    const waiting = cancelledBy(off.signal, () =>
      withMutex('a', async () => {
        begun = true;
      }),
    );
    off.abort(new Error('called off'));
    expect(await waiting.catch(String)).to.equal('Error: called off');
    gate.resolve();
    await first;
    await withMutex('a', async () => undefined);
    expect(begun).to.equal(false);
  });

  it('is cancelled by its caller, also behind other work', async () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const gate = Promise.withResolvers<void>();
    const first = cancelledBy(one.signal, () => withMutex('a', () => gate.promise));
    const second = cancelledBy(other.signal, () => withMutex('a', async () => cancelSignal()));
    gate.resolve();
    await first;
    expect(await second).to.equal(other.signal);
  });
});
