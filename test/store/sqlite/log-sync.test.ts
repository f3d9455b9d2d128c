import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Failure } from '#contract/failure.ts';
import { LogSync } from '#store/sqlite/log-sync.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

describe('the sync of the log', () => {
  let folder: TemporaryFolder;
  /** The syncs that have begun, which the test ends. */
  let syncs: PromiseWithResolvers<void>[];
  let failures: Failure[];
  let log: LogSync;

  beforeEach(() => {
    folder = temporaryFolder('log-sync');
    const path = join(folder.path, 'muster.db-wal');
    writeFileSync(path, '');
    [syncs, failures] = [[], []];
    begun = Promise.withResolvers();
    log = new LogSync(path, { onSynced: () => undefined, onFailed: (failure) => failures.push(failure) }, () => {
      const sync = Promise.withResolvers<void>();
      syncs.push(sync);
      begun.resolve();
      begun = Promise.withResolvers();
      return sync.promise;
    });
  });
  afterEach(async () => {
    await log.close();
    folder.remove();
  });

  let begun: PromiseWithResolvers<void>;
  /** Commits, and notes in `order` when that is on the disk. */
  const commit = (name: string, order: string[]): Promise<void> => {
    log.committed();
    return log.settled().then(() => void order.push(name));
  };

  it('is waited for by each commit, and shared by those that came before it began', async () => {
    const order: string[] = [];
    const first = begun.promise;
    const one = commit('one', order);
    await first;
    const second = begun.promise;
    const others = [commit('two', order), commit('three', order)];
    expect(order).to.deep.equal([]);
    syncs[0]?.resolve();
    await one;
    await second;
    expect(order).to.deep.equal(['one']);
    syncs[1]?.resolve();
    await Promise.all(others);
    expect(order).to.deep.equal(['one', 'two', 'three']);
    expect(syncs).to.have.length(2);
    await log.settled();
    expect(syncs, 'nothing new was committed').to.have.length(2);
  });

  it('refuses everybody from its first failure on, and reports it before', async () => {
    const first = begun.promise;
    const refused = commit('one', []).catch((failure: unknown) => [failure, ...failures]);
    await first;
    syncs[0]?.reject(Object.assign(new Error('i/o error'), { code: 'EIO', syscall: 'fdatasync' }));
    const [failure, reported] = (await refused) as Failure[];
    expect(failure).to.have.property('reason', 'DISK_FAILED');
    expect(failure?.message).to.include('(EIO), so it may or may not be there');
    expect(reported).to.equal(failure);
    expect(await log.settled().catch((error: unknown) => error)).to.equal(failure);
    expect(failures).to.have.length(1);
  });
});
