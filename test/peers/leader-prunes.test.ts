import { expect } from 'chai';
import { pruneOld } from '#actors/registry/pruning.ts';
import type { RegistryScope } from '#actors/registry/registry-scope.ts';
import { WorkFigures } from '#actors/worker/work-figures.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { openStore, type Store } from '#store/store.ts';
import type { TestDatabase } from '#test/store/test-database.ts';
import { moment } from '#test/support/moment.ts';
import { postgresDatabase } from '#test/support/postgres/postgres-database.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { testClock } from '#test/support/test-clock.ts';
import { openLog } from '#world/log.ts';

const day = 86_400_000;

describe('the pruning of a database that registries share', () => {
  let database: TestDatabase;
  let store: Store;
  let folder: TemporaryFolder;

  beforeEach(async () => {
    folder = temporaryFolder('pruning');
    database = await postgresDatabase();
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
    folder.remove();
  });

  it('is done by the leader', async () => {
    const clock = testClock();
    store = await openStore({ engine: database.engine(), clock, viewOf });
    const fact = { kind: 'agent.created' as const, subjectId: 'agt_1', detail: {} };
    await store.write(({ facts }) => facts.append([fact, fact]));
    clock.pass(2 * day);
    let [passes, goOn] = [0, () => {}];
    const timer = {
      now: () => 0,
      sleep: (_ms: number, signal?: AbortSignal) => {
        passes += 1;
        return new Promise<void>((resolve, reject) => {
          goOn = resolve;
          signal?.addEventListener('abort', () => reject(signal.reason));
        });
      },
    };
    const log = openLog({ name: 'registry', level: 'silent', folder: folder.path });
    const scope = { store, clock, timer, log, work: new WorkFigures(), factsKept: { days: 1, count: 1 } };
    const peers = { leads: false };
    const pruning = pruneOld(scope as unknown as RegistryScope, peers);
    await moment('it has passed once', () => passes === 1);
    expect(await database.rowsIn('fact')).to.have.length(2);
    peers.leads = true;
    goOn();
    await moment('it has passed again', () => passes === 2);
    expect(await database.rowsIn('fact')).to.have.length(1);
    await pruning.stop();
  });
});
