import { expect } from 'chai';
import { Failure } from '#contract/failure.ts';
import { commitOn, newAgent, type StoreFixture, saveHost, snapshotOf, storeFixture } from './store-fixture.ts';

describe('the journal of agents', () => {
  let fixture: StoreFixture;

  beforeEach(async () => {
    fixture = await storeFixture();
    await saveHost(fixture.store);
    await fixture.store.write(({ journal }) => journal.insert(newAgent('agt_1')));
  });
  afterEach(() => fixture.close());

  const load = (id = 'agt_1') => fixture.store.read(({ journal }) => journal.load(id));
  const row = async (id = 'agt_1') => {
    const found = await fixture.store.read(({ agents }) => agents.find(id));
    if (!found) throw new Error(`no ${id}`);
    return found;
  };

  it('stores a new agent completely over a restart', async () => {
    const before = await load();
    await fixture.reopen();
    expect(await load()).to.deep.equal(before);
    expect(before).to.deep.include({ id: 'agt_1', family: 'agt_1', hostId: 'hst_1', epoch: 1, version: 1 });
    expect(before.launch).to.deep.include({ name: 'agt_1', briefing: 'Fix the login.', copyFiles: ['.env'] });
    expect(before.effects).to.deep.equal([{ key: 'agt_1/1/0', kind: 'provisionWorktree', params: {} }]);
  });

  it('writes all parts of a decision in one commit', async () => {
    fixture.clock.pass(1000);
    const record = await fixture.store.commitAgent(
      commitOn('agt_1', {
        snapshot: snapshotOf('live', {
          name: 'agt_1',
          state: 'AGENT_STATE_IDLE',
          paneId: '%3',
          worktree: {
            repository: '/repo/.git',
            path: '/trees/agt_1',
            branch: 'muster/agt_1',
            baseSha: 'abc',
            copied: [],
          },
        }),
        done: ['agt_1/1/0'],
        effects: [
          { kind: 'openWindow', params: { resume: false } },
          { kind: 'deliverBriefing', params: {} },
        ],
        facts: [{ kind: 'agent.state-moved', detail: { to: 'AGENT_STATE_IDLE' } }],
        deadlines: { 'settingUp.provisioning': null, 'settingUp.opening': 60_000 },
      }),
    );
    expect(record.version).to.equal(2);
    expect(record.effects.map(({ key, kind }) => [key, kind])).to.deep.equal([
      ['agt_1/2/0', 'openWindow'],
      ['agt_1/2/1', 'deliverBriefing'],
    ]);
    expect(await row()).to.deep.include({
      state: 'AGENT_STATE_IDLE',
      alive: true,
      paneId: '%3',
      cwd: '/trees/agt_1',
      branch: 'muster/agt_1',
      updatedAt: fixture.clock.now(),
      stateChangedAt: fixture.clock.now(),
      createdAt: fixture.clock.now() - 1000,
      movedSeq: (await fixture.store.read((tables) => tables.facts.after(0n, 10))).at(-1)?.seq,
    });
    fixture.clock.pass(60_000);
    const due = await fixture.store.read(({ deadlines }) => deadlines.due(10));
    expect(due.map(({ ownerId, name }) => [ownerId, name])).to.deep.equal([['agt_1', 'settingUp.opening']]);
    const facts = await fixture.store.read((tables) => tables.facts.after(0n, 10));
    expect(facts.map(({ kind, subjectId }) => [kind, subjectId])).to.deep.equal([
      ['agent.created', 'agt_1'],
      ['agent.state-moved', 'agt_1'],
    ]);
  });

  it('omits undefined fields in the stored copy, and keeps the given object unchanged', async () => {
    const snapshot = () => snapshotOf('dormant', { name: 'agt_2', paneId: undefined });
    const born = { snapshot: snapshot(), effects: [], facts: [], deadlines: {} };
    await fixture.store.write(({ journal }) => journal.insert(newAgent('agt_2', { decision: born })));
    expect((await load('agt_2')).snapshot.context).not.to.have.property('paneId');
    const change = commitOn('agt_2', {
      snapshot: snapshot(),
      effects: [{ kind: 'closePane', params: { a: undefined } }],
    });
    const record = await fixture.store.commitAgent(change);
    expect(record.snapshot.context).not.to.have.property('paneId');
    expect(record.effects.map(({ params }) => params)).to.deep.equal([{}]);
    expect(change.snapshot).to.deep.equal(snapshot());
  });

  it('changes updatedAt only with visible fields', async () => {
    const before = await row();
    fixture.clock.pass(1000);
    await fixture.store.commitAgent(commitOn('agt_1', { done: ['agt_1/1/0'] }));
    const after = await row();
    expect(after).to.deep.include({ updatedAt: before.updatedAt, stateChangedAt: before.stateChangedAt, version: 2 });
    expect(after.recordSeq > before.recordSeq).to.equal(true);
  });

  it('keeps stateChangedAt if only other fields change', async () => {
    const before = await row();
    fixture.clock.pass(1000);
    const snapshot = snapshotOf({ settingUp: 'provisioning' }, { name: 'agt_1', reason: 'slow' });
    await fixture.store.commitAgent(commitOn('agt_1', { snapshot }));
    expect(await row()).to.deep.include({
      stateReason: 'slow',
      updatedAt: before.updatedAt + 1000,
      stateChangedAt: before.stateChangedAt,
    });
  });

  const refused = [
    { what: 'an old version', change: { version: 0 }, code: 'aborted' },
    { what: 'a version that is not there yet', change: { version: 2 }, code: 'aborted' },
    { what: 'an old epoch', change: { epoch: 0 }, code: 'failed_precondition' },
    { what: 'an old epoch and an old version', change: { epoch: 0, version: 0 }, code: 'failed_precondition' },
    { what: 'an agent that is not there', change: { agentId: 'agt_9' }, code: 'not_found' },
  ] as const;
  for (const { what, change, code } of refused) {
    it(`refuses ${what} as ${code} and writes nothing`, async () => {
      const before = [await load(), await row()];
      const lastSeq = await fixture.store.read(({ facts }) => facts.lastSeq());
      const error = await fixture.store
        .commitAgent(
          commitOn('agt_1', {
            ...change,
            effects: [{ kind: 'x', params: {} }],
            facts: [{ kind: 'agent.changed', detail: {} }],
          }),
        )
        .catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(Failure).with.property('code', code);
      expect([await load(), await row()]).to.deep.equal(before);
      expect(await fixture.store.read(({ facts }) => facts.lastSeq())).to.equal(lastSeq);
    });
  }

  it('accepts one of many commits on the same version', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () => fixture.store.commitAgent(commitOn('agt_1'))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect((await load()).version).to.equal(2);
  });

  it('writes nothing if the work throws', async () => {
    const lastSeq = await fixture.store.read(({ facts }) => facts.lastSeq());
    const failed = await fixture.store
      .write(async ({ journal }) => {
        await journal.insert(newAgent('agt_2'));
        throw new Error('changed my mind');
      })
      .catch((error: Error) => error.message);
    expect(failed).to.equal('changed my mind');
    expect(await fixture.store.read(({ agents }) => agents.find('agt_2'))).to.equal(undefined);
    expect(await fixture.store.read(({ facts }) => facts.lastSeq())).to.equal(lastSeq);
  });

  it('reads within one transaction what it has written, also cleared fields', async () => {
    await fixture.store.commitAgent(
      commitOn('agt_1', { snapshot: snapshotOf('archived', { name: 'agt_1', paneId: '%1' }) }),
    );
    await fixture.store.write(async ({ agents, journal }) => {
      expect(await agents.find('agt_1')).to.deep.include({ paneId: '%1', archivedAt: fixture.clock.now(), version: 2 });
      await journal.commit(commitOn('agt_1', { version: 2 }));
      expect(await agents.find('agt_1')).to.deep.include({ paneId: null, archivedAt: null, version: 3 });
      await journal.commit(commitOn('agt_1', { version: 3 }));
    });
    expect((await row()).version).to.equal(4);
  });

  it('reuses the name of an archived agent', async () => {
    const take = () => fixture.store.write(({ journal }) => journal.insert(newAgent('agt_2', { name: 'agt_1' })));
    expect(await take().catch(() => 'taken')).to.equal('taken');
    await fixture.store.commitAgent(commitOn('agt_1', { snapshot: snapshotOf('archived', { name: 'agt_1' }) }));
    await take();
    expect((await row('agt_2')).name).to.equal('agt_1');
    expect((await row()).archivedAt).to.equal(fixture.clock.now());
  });

  it('moves a mark from its holder and publishes both', async () => {
    await fixture.store.write(({ journal }) => journal.insert(newAgent('agt_2')));
    const mark = async (id: string, letter: string | null) => {
      const agent = await row(id);
      await fixture.store.write(({ journal }) => journal.setMark(agent, letter));
    };
    await mark('agt_1', 'a');
    await mark('agt_2', 'a');
    expect([(await row('agt_1')).mark, (await row('agt_2')).mark]).to.deep.equal([null, 'a']);
    const facts = await fixture.store.read((tables) => tables.facts.after(0n, 10));
    expect(facts.slice(2).map(({ kind, subjectId }) => [kind, subjectId])).to.deep.equal([
      ['agent.changed', 'agt_1'],
      ['agent.changed', 'agt_1'],
      ['agent.changed', 'agt_2'],
    ]);
    expect((await row('agt_2')).movedSeq).to.equal(facts.at(-1)?.seq);
  });

  it('returns to a host the agents committed since a position, each once in its current state', async () => {
    const changes = (after = 0n) => fixture.store.read(({ agents }) => agents.changesOn('hst_1', after, 10));
    await fixture.store.write(({ journal }) => journal.insert(newAgent('agt_2')));
    const all = await changes();
    expect(all.map(({ record }) => record.id)).to.deep.equal(['agt_1', 'agt_2']);
    const last = all.at(-1)?.place;
    expect(await changes(last)).to.deep.equal([]);
    await fixture.store.commitAgent(commitOn('agt_1'));
    await fixture.store.commitAgent(commitOn('agt_1', { version: 2, snapshot: snapshotOf('gone', { name: 'agt_1' }) }));
    const moved = await changes(last);
    expect(moved.map(({ record }) => [record.id, record.version])).to.deep.equal([['agt_1', 3]]);
    expect(moved.at(-1)?.place).to.equal(await fixture.store.read(({ agents }) => agents.lastPosition()));
  });

  it('returns to a host its active agents, archived ones only with pending effects', async () => {
    const atWork = async (after = 0n) => {
      const found = await fixture.store.read(({ agents }) => agents.atWorkOn('hst_1', after, 10));
      return found.map(({ record }) => record.id);
    };
    await fixture.store.write(async ({ journal }) => {
      for (const id of ['agt_2', 'agt_3', 'agt_4']) await journal.insert(newAgent(id));
    });
    const [first] = await fixture.store.read(({ agents }) => agents.atWorkOn('hst_1', 0n, 1));
    expect(await atWork(first?.place)).to.deep.equal(['agt_2', 'agt_3', 'agt_4']);
    for (const [id, value, done] of [
      ['agt_2', 'archiving', []],
      ['agt_3', 'archived', ['agt_3/1/0']],
      ['agt_4', 'gone', ['agt_4/1/0']],
    ] as const) {
      await fixture.store.commitAgent(commitOn(id, { snapshot: snapshotOf(value, { name: id }), done: [...done] }));
    }
    expect(await atWork()).to.deep.equal(['agt_1', 'agt_2']);
    expect(await fixture.store.read(({ agents }) => agents.atWorkOn('hst_2', 0n, 10))).to.deep.equal([]);
  });

  const texts = {
    'a quote, a backslash and question marks': `it's ?? "x" \\? \\`,
    'a NUL and other control characters': 'a\0b\0\u0001\u001b[201~\r\n\tz',
    'characters beyond the first plane': '😀'.repeat(300),
    'nothing but a NUL': '\0',
  };
  for (const [what, briefing] of Object.entries(texts)) {
    it(`stores ${what} exactly`, async () => {
      const agent = newAgent('agt_t');
      await fixture.store.write(({ journal }) =>
        journal.insert({ ...agent, launch: { ...agent.launch, briefing, flags: briefing } }),
      );
      const record = await load('agt_t');
      expect(record.launch.briefing).to.equal(briefing);
      expect(record.launch.flags).to.equal(briefing);
      const { opening, openingCut } = await row('agt_t');
      expect(opening).to.equal([...briefing].slice(0, 200).join(''));
      expect(openingCut).to.equal([...briefing].length > 200);
    });
  }
});
