import { copyFileSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { registryClient } from '#actors/host/agent/registry-journal.ts';
import { openHostLine } from '#bus/host-line/host-line.ts';
import { makeKeyPair } from '#bus/seal/key-pair.ts';
import type { Failure } from '#contract/failure.ts';
import { agentDefinition } from '#machines/agent/agent-view.ts';
import { begin } from '#machines/decide.ts';
import { newAgent } from '#test/store/store-fixture.ts';
import { failureOf } from '#test/support/failure.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

interface Answer {
  readonly cursor: string;
  readonly agents?: readonly { readonly agent: { readonly id: string } }[];
}

const watches = ['WatchAgents', 'WatchFacts', 'WatchTransitions', 'WatchSchedules'] as const;

describe('after a restore of the database', () => {
  let fixture: RegistryFixture;

  before(async () => {
    fixture = await registryFixture();
  });
  after(() => fixture.close());

  const copy = () => fixture.restart((file) => copyFileSync(file, `${file}.copy`));
  const putBack = () =>
    fixture.restart((file) => {
      for (const beside of ['-wal', '-shm', '-digests']) rmSync(file + beside, { force: true });
      copyFileSync(`${file}.copy`, file);
    });
  /** The current cursor of every watch of the log. */
  const cursors = async (): Promise<[method: string, cursor: string][]> => {
    const all: [string, string][] = [];
    for (const method of watches) all.push([method, (await fixture.call<Answer>(method)).cursor]);
    return all;
  };

  const insert = (id: string) =>
    fixture.store.write(({ journal }) => {
      const decision = begin(agentDefinition, { name: id, provision: false, scripts: [] });
      return journal.insert(newAgent(id, { decision, hostId: 'hst_on' }));
    });

  it('cursors from after the backup are refused, even if the log has grown past them', async () => {
    await fixture.create();
    await copy();
    const before = await cursors();
    await fixture.create();
    const since = await cursors();
    await putBack();
    for (const grown of [false, true]) {
      if (grown) for (let more = 0; more < 3; more += 1) await fixture.create();
      for (const [method, cursor] of since) {
        const { code, message } = await failureOf(() => fixture.call(method, { cursor }));
        expect({ method, grown, code }).to.deep.equal({ method, grown, code: 'out_of_range' });
        expect(message).to.contain('without a cursor');
      }
    }
    // The copy was made before the registry started that reported these, so it does not know that start at all.
    for (const [method, cursor] of before) {
      expect(await failureOf(() => fixture.call(method, { cursor })), method).to.have.property('code', 'out_of_range');
    }
  });

  it('cursors from before the backup continue, without repeats or gaps', async () => {
    const { id } = await fixture.create();
    const old = await cursors();
    await fixture.create();
    await copy();
    await putBack();
    const made = await fixture.create();
    for (const [method, cursor] of old) await fixture.call(method, { cursor });
    const [, cursor = ''] = old[0] ?? [];
    const { agents = [] } = await fixture.call<Answer>('WatchAgents', { cursor });
    expect(agents.map(({ agent }) => agent.id))
      .to.have.lengthOf(2)
      .and.to.include(made.id)
      .and.not.to.include(id);
  });

  it('a running host detects it before its next report, and rereads everything', async () => {
    let cursor = '';
    let heard = 0;
    const line = openHostLine(await fixture.nats.joinHost('hst_on'), 'hst_on', makeKeyPair(), {
      monotonic: systemTimer.monotonic,
      cursor: () => cursor,
      onLogReplaced: () => {
        heard += 1;
        cursor = '';
      },
    });
    const registry = registryClient(line);
    await registry.beat({ hostId: 'hst_on', name: 'on', harnesses: ['claude'] });
    const id = 'agt_kept';
    await insert(id);
    await copy();
    ({ cursor } = await registry.changes('hst_on', ''));
    expect(heard).to.equal(0);
    await insert('agt_lost');
    ({ cursor } = await registry.changes('hst_on', cursor));
    const stale = await registry.load(id);
    await putBack();
    const { epoch, version, snapshot } = stale;
    const commit = { agentId: id, epoch, version, snapshot, effects: [], done: [], facts: [], deadlines: {} };
    // Refused, unless the line has learned of it by itself by then.
    const outcome = await registry.commit(commit).then(
      () => 'done',
      ({ code }: Failure) => code,
    );
    expect([outcome, heard]).to.be.deep.oneOf([
      ['unavailable', 1],
      ['done', 1],
    ]);
    const told = await registry.changes('hst_on', '');
    expect(told.agents.map((record) => record.id)).to.deep.equal([id]);
    expect(await failureOf(() => registry.load('agt_lost'))).to.have.property('code', 'not_found');
    const { gone, left } = await registry.families([id, 'agt_lost']);
    expect({ gone, left }).to.deep.equal({ gone: [], left: [id] });
    line.close();
  });
});
