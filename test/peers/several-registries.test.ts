import { expect } from 'chai';
import { issueToken } from '#actors/registry/access/agent-credential.ts';
import { hashOf } from '#actors/registry/access/agent-tokens.ts';
import { Callers } from '#actors/registry/access/callers.ts';
import { Sessions } from '#actors/registry/access/sessions.ts';
import { beginInstance } from '#actors/registry/kernel/instance.ts';
import { startNotifier } from '#actors/registry/notify/notifier.ts';
import { scheduleKind } from '#actors/registry/schedule/firings.ts';
import { WorkFigures } from '#actors/worker/work-figures.ts';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { openStore, type Store } from '#store/store.ts';
import type { Tables } from '#store/tables.ts';
import { newAgent, saveHost } from '#test/store/store-fixture.ts';
import type { TestDatabase } from '#test/store/test-database.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { postgresDatabase } from '#test/support/postgres/postgres-database.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { testClock, testIds } from '#test/support/test-clock.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { openLog } from '#world/log.ts';

const thumbprint = 'k'.repeat(43);

/** A schedule with an occurrence that is due. */
function newSchedule(now: number) {
  const launch = { name: 'tidy', cron: '* * * * *', timezone: 'UTC', prompt: 'Tidy up', workflowId: 'wfl_1' };
  const rules = { missed: 'run-once', catchUp: 0, overlap: 'allow', jitter: 0, maxAttempts: 1, pauseAfter: 0 } as const;
  const times = { decidedUpTo: now - 1, nextAt: now, createdAt: now, updatedAt: now };
  return { id: 'sch_1', hideAgents: false, isolation: null, ...launch, ...rules, ...times };
}

describe('several registries on one database', function () {
  this.timeout(180_000);
  let database: TestDatabase;
  let folder: TemporaryFolder;
  let stores: Store[];
  let clock: ReturnType<typeof testClock>;

  beforeEach(async () => {
    folder = temporaryFolder('several');
    database = await postgresDatabase();
    clock = testClock();
    stores = await Promise.all([1, 2].map(() => openStore({ engine: database.engine(), clock, viewOf })));
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    await database.drop();
    folder.remove();
  });

  const pair = (): readonly [Store, Store] => {
    const [one, other] = stores;
    if (one === undefined || other === undefined) throw new Error('there are not two stores');
    return [one, other];
  };

  it('refuse a token everywhere within a second after one has revoked it', async () => {
    const [one, other] = pair();
    await saveHost(one);
    await one.write(({ journal }) => journal.insert(newAgent('agt_1')));
    const credential = hashOf(await one.write(({ credentials }) => issueToken(credentials, 'agt_1', 'window')));
    const callers = new Callers(other, clock);
    expect((await callers.of(credential)).kind).to.equal('agent');
    await one.write(({ credentials }) => credentials.endOf('agt_1'));
    clock.pass(1_000);
    expect((await failureOf(() => callers.of(credential))).reason).to.equal('CREDENTIAL_UNKNOWN');
  });

  it('detect another one’s insert without a read before the write', async () => {
    const [one, other] = pair();
    let tries = 0;
    const found = await one.write(async ({ settings }) => {
      tries += 1;
      const known = await settings.get('first');
      if (known !== undefined) return known;
      await other.write((others) => others.settings.insert('first', 'of the other'));
      await settings.insert('first', 'its own');
      return 'its own';
    });
    expect({ found, tries }).to.deep.equal({ found: 'of the other', tries: 2 });
  });

  it('retry a write of an existing row only for a moment', async () => {
    const [one] = pair();
    await one.write(({ settings }) => settings.insert('first', 'known'));
    let tries = 0;
    const again = one.write(({ settings }) => {
      tries += 1;
      return settings.insert('first', 'again');
    });
    const [result] = await Promise.allSettled([again]);
    expect({ status: result.status, tries }).to.deep.equal({ status: 'rejected', tries: 4 });
  });

  it('accept another one’s sign-in code, once', async () => {
    const [one, other] = pair();
    const ids = testIds();
    const [makes, takes] = [new Sessions(one, clock, ids), new Sessions(other, clock, ids)];
    const { oneTimeCode: code } = await makes.issueCode();
    const tries = await Promise.allSettled(
      [makes, takes, makes, takes].map((sessions) => sessions.signIn({ code, keyThumbprint: thumbprint })),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    const { oneTimeCode: late } = await makes.issueCode();
    clock.pass(60_000);
    const refused = await failureOf(() => takes.signIn({ code: late, keyThumbprint: thumbprint }));
    expect(refused.reason).to.equal('SIGN_IN_CODE_INVALID');
  });

  it('send each notice once', async () => {
    const [one] = pair();
    const bodies = Array.from({ length: 30 }, (_, at) => String(at));
    const notice = { agent: 'agt_1', through: 'webhook' as const, target: 'http://127.0.0.1:1/' };
    await one.write(({ notices }) => notices.add(bodies.map((body) => ({ ...notice, body }))));
    const sent: string[] = [];
    const begun = Promise.withResolvers<void>();
    const notifiers = await Promise.all(
      stores.map((store) =>
        startNotifier({
          store,
          async sender({ body }) {
            sent.push(body);
            // Both are at it before the first has ended.
            if (sent.length >= 16) begun.resolve();
            await begun.promise;
            return '';
          },
          clock: systemTimer,
          areAnswering: async () => false,
          timer: systemTimer,
          work: new WorkFigures(),
          log: openLog({ name: 'registry', level: 'silent', folder: folder.path }),
        }),
      ),
    );
    await moment('all to be sent', async () => (await database.rowsIn('notice')).length === 0);
    for (const notifier of notifiers) await notifier.stop();
    expect(sent.toSorted()).to.deep.equal(bodies.toSorted());
  });

  it('skip a deadline and a schedule that another one has claimed, without waiting', async () => {
    const [one, other] = pair();
    const now = clock.now();
    const due = { owner: 'agent', ownerId: 'agt_1', name: 'settingUp', dueAt: now + 1 } as const;
    await one.write(async (tables) => {
      await tables.deadlines.set(due, { [due.name]: 1 });
      const row = (snapshot: StoredSnapshot) => ({ ...newSchedule(now), snapshot });
      await beginInstance({ tables, now }, scheduleKind, { enabled: true }, row);
    });
    const claim = async ({ deadlines, schedules }: Tables) => ({
      deadline: await deadlines.take(due),
      schedules: (await schedules.claimDue(now, 10)).map(({ id }) => id),
    });
    const both = await one.write(async (tables) => ({ first: await claim(tables), second: await other.write(claim) }));
    expect(both).to.deep.equal({
      first: { deadline: true, schedules: ['sch_1'] },
      second: { deadline: false, schedules: [] },
    });
  });

  it('settle a notice only for its last claimant', async () => {
    const [one, other] = pair();
    await one.write(({ notices }) => notices.add([{ agent: 'a', through: 'webhook', target: '', body: '' }]));
    const [stale] = await one.write(({ notices }) => notices.claim(1, 1_000));
    expect(await other.write(({ notices }) => notices.claim(1, 1_000))).to.deep.equal([]);
    clock.pass(1_000);
    const [fresh] = await other.write(({ notices }) => notices.claim(1, 1_000));
    if (stale === undefined || fresh === undefined) throw new Error('nothing was claimed');
    expect(await one.write(({ notices }) => notices.putOff(stale, 1))).to.equal(false);
    expect(await one.write(({ notices }) => notices.remove(stale))).to.equal(false);
    expect(await other.write(({ notices }) => notices.remove(fresh))).to.equal(true);
  });
});
