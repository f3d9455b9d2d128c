import type { JsonObject } from '@bufbuild/protobuf';
import { expect } from 'chai';
import { betweenMsOf, type ChangeSource, follow } from '#gateway/rpc/watch/watch.ts';
import { moment } from '#test/support/moment.ts';

/** A log of rows that a watch asks about: each answer holds at most two rows after the cursor. */
function source() {
  const rows: string[] = [];
  const asked: string[] = [];
  const listeners = new Set<() => void>();
  let held: Promise<void> | undefined;
  return {
    asked,
    listeners,
    write(...more: string[]) {
      rows.push(...more);
    },
    ring() {
      for (const listener of listeners) listener();
    },
    hold(until: Promise<void>) {
      held = until;
    },
    watching(more: Partial<ChangeSource> = {}): ChangeSource {
      return {
        cursor: '',
        heartbeatMs: 60_000,
        betweenMs: () => betweenMsOf(1, 'list'),
        signal: new AbortController().signal,
        listen(listener) {
          listeners.add(listener);
          return { close: () => listeners.delete(listener) };
        },
        async ask(cursor): Promise<JsonObject> {
          asked.push(cursor);
          const from = Number(cursor);
          const page = rows.slice(from, from + 2);
          await held;
          return { rows: page, cursor: String(from + page.length) };
        },
        ...more,
      };
    },
  };
}

describe('following changes', () => {
  it('reads at most every 50 ms, and less often with many watches: 500 answers a second for lists, 2,000 for screens', () => {
    const every = (shows: 'list' | 'screen') =>
      [1, 25, 60, 100, 200, 1_000].map((watches) => betweenMsOf(watches, shows));
    expect(every('list')).to.deep.equal([50, 50, 120, 200, 400, 2_000]);
    expect(every('screen')).to.deep.equal([50, 50, 50, 50, 100, 500]);
  });

  it('returns the opening page by page, and then the end once', async () => {
    const log = source();
    log.write('a', 'b', 'c');
    const watch = follow(log.watching());
    expect((await watch.next()).value).to.deep.equal({ rows: ['a', 'b'], cursor: '2' });
    expect((await watch.next()).value).to.deep.equal({ rows: ['c'], cursor: '3' });
    expect((await watch.next()).value).to.deep.equal({ cursor: '3' });
    expect(log.asked).to.deep.equal(['', '2', '3']);
    await watch.return(undefined);
  });

  it('continues from a cursor', async () => {
    const log = source();
    log.write('a', 'b', 'c');
    const watch = follow(log.watching({ cursor: '2' }));
    expect((await watch.next()).value).to.deep.equal({ rows: ['c'], cursor: '3' });
    await watch.return(undefined);
  });

  it('reads again after a hint, and is silent without a change', async () => {
    const log = source();
    const watch = follow(log.watching());
    expect((await watch.next()).value).to.deep.equal({ cursor: '0' });
    const next = watch.next();
    await moment('it listens', () => log.asked.length === 1);
    log.ring();
    await moment('it has asked again', () => log.asked.length === 2);
    log.write('a');
    log.ring();
    expect((await next).value).to.deep.equal({ rows: ['a'], cursor: '1' });
    await watch.return(undefined);
  });

  it('misses no write during a read', async () => {
    const log = source();
    const watch = follow(log.watching());
    await watch.next();
    const release = Promise.withResolvers<void>();
    log.hold(release.promise);
    const next = watch.next();
    await moment('it listens', () => log.listeners.size === 1);
    log.ring();
    await moment('it asks', () => log.asked.length === 2);
    log.write('a');
    log.ring();
    log.ring();
    release.resolve();
    expect((await next).value).to.deep.equal({ rows: ['a'], cursor: '1' });
    await watch.return(undefined);
  });

  it('subscribes before it reads', async () => {
    const log = source();
    let listening = false;
    const watch = follow(
      log.watching({
        ask: async () => {
          listening = log.listeners.size === 1;
          return { cursor: '0' };
        },
      }),
    );
    await watch.next();
    expect(listening).to.equal(true);
    await watch.return(undefined);
  });

  it('sends heartbeats without changes, and then finds a change whose hint was lost', async () => {
    const log = source();
    const watch = follow(log.watching({ heartbeatMs: 5 }));
    for (let beat = 0; beat < 3; beat += 1) expect((await watch.next()).value).to.deep.equal({ cursor: '0' });
    log.write('a');
    expect((await watch.next()).value).to.deep.equal({ rows: ['a'], cursor: '1' });
    expect((await watch.next()).value).to.deep.equal({ cursor: '1' });
    await watch.return(undefined);
  });

  it('ends at once on abort, while it waits and while it reads', async () => {
    for (const whileAsking of [false, true]) {
      const log = source();
      const ending = new AbortController();
      const watch = follow(log.watching({ signal: ending.signal }));
      await watch.next();
      if (whileAsking) log.hold(new Promise(() => {}));
      const next = watch.next();
      if (whileAsking) {
        log.ring();
        await moment('it asks', () => log.asked.length === 2);
      }
      ending.abort();
      expect((await next).done).to.equal(true);
      expect(log.listeners.size).to.equal(0);
    }
  });

  it('passes on a refusal, and unsubscribes', async () => {
    const log = source();
    const watch = follow(log.watching({ ask: () => Promise.reject(new Error('refused')) }));
    let said = '';
    await watch.next().catch((error: Error) => {
      said = error.message;
    });
    expect(said).to.equal('refused');
    expect(log.listeners.size).to.equal(0);
  });
});
