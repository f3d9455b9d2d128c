import { expect } from 'chai';
import { startNotifier } from '#actors/registry/notify/notifier.ts';
import type { NotifierScope } from '#actors/registry/notify/notify-scope.ts';
import { WorkFigures } from '#actors/worker/work-figures.ts';
import { type StoreFixture, storeFixture } from '#test/store/store-fixture.ts';
import { moment } from '#test/support/moment.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { openLog } from '#world/log.ts';

/** Of the reads of a notifier that has nothing new to record, these ask what is due. */
const isAskingWhatIsDue = (reads: number) => reads % 2 === 0;

describe('the notifier', () => {
  let fixture: StoreFixture;
  beforeEach(async () => {
    fixture = await storeFixture();
  });
  afterEach(() => fixture.close());

  it('sends a notice once that is saved while it reads due ones', async () => {
    const { store, folder } = fixture;
    const notice = { agent: 'agt_1', through: 'webhook' as const, target: 'http://127.0.0.1:1/', body: '{}' };
    await store.write(({ notices }) => notices.add([notice]));
    const arrived = Promise.withResolvers<void>();
    const isGone = async () => (await store.read(({ notices }) => notices.due(1))).length === 0;
    let [reads, sendings] = [0, 0];
    const scope: NotifierScope = {
      store: {
        ...store,
        async read(work) {
          const found = await store.read(work);
          reads += 1;
          if (!isAskingWhatIsDue(reads) || sendings === 0) return found;
          arrived.resolve();
          await moment('it is gone', isGone);
          return found;
        },
      },
      async sender() {
        sendings += 1;
        await arrived.promise;
        return '';
      },
      clock: systemTimer,
      areAnswering: async () => false,
      timer: systemTimer,
      work: new WorkFigures(),
      log: openLog({ name: 'registry', level: 'silent', folder: folder.path }),
    };
    const notifier = await startNotifier(scope);
    await moment('the pass after it', () => reads >= 4);
    await moment('it is gone', isGone);
    await notifier.stop();
    expect(sendings).to.equal(1);
  });
});
