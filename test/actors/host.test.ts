import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { Host } from '#actors/host/host.ts';
import { lookBy } from '#actors/host/sight.ts';
import { inTurn, runningTerminal } from '#actors/host/terminal-turn.ts';
import type { Bus } from '#bus/bus.ts';
import { agentLife, viewOf } from '#machines/agent-view.ts';
import { begin } from '#machines/decide.ts';
import { builtIn } from '#machines/harness/table.ts';
import { newAgent, type StoreFixture, saveHost, storeFixture } from '#test/store/store-fixture.ts';
import { calmMachine } from '#test/support/calm-machine.ts';
import { moment } from '#test/support/moment.ts';
import type { Timer } from '#world/timer.ts';
import { silent, told } from './actor-fixture.ts';
import { storedRegistry } from './stored-registry.ts';
import { TerminalsStandIn } from './terminal-stand-in.ts';

const deaf: Pick<Bus, 'subscribe' | 'onReconnect'> = {
  subscribe: () => ({ close() {} }),
  onReconnect: () => ({ close() {} }),
};
/** Every pause of the host is short, so that its rounds come at once. */
const hasty: Timer = { now: () => Date.now(), sleep: (_, signal) => delay(2, undefined, signal ? { signal } : {}) };

describe('a host', function () {
  this.timeout(20_000);
  let stored: StoreFixture;
  let terminals: TerminalsStandIn;
  let host: Host | undefined;

  beforeEach(async () => {
    stored = await storeFixture();
    await saveHost(stored.store);
    terminals = new TerminalsStandIn();
  });
  afterEach(async () => {
    terminals.silent.clear();
    await host?.stop();
    await stored.close();
  });

  const insert = (id: string) =>
    stored.store.write(({ journal }) => {
      const decision = begin(agentLife, { name: id, provision: false, scripts: [] });
      return journal.insert(newAgent(id, { decision }));
    });
  const phaseOf = (id: string) =>
    stored.store.read(async ({ journal }) => viewOf((await journal.load(id)).snapshot).phase);
  const comesTo = (id: string, phase: string) =>
    moment(`${id} comes to ${phase}`, async () => (await phaseOf(id)) === phase);

  function newHost(registry = storedRegistry(stored)): Host {
    const reading = { state: 'AGENT_STATE_THINKING', reason: '' } as const;
    host = new Host({
      id: 'hst_1',
      name: 'here',
      found: () => [],
      hear: async () => {},
      condition: calmMachine,
      look: lookBy(builtIn),
      bus: deaf as Bus,
      registry,
      terminals,
      performers: {
        openWindow: told('opening', async () => ({ type: 'WINDOW_OPENED', paneId: '%1' })),
        deliverBriefing: told('briefing', async () => ({ type: 'BRIEFED', reading })),
      },
      clock: hasty,
      log: silent,
      observe: () => {},
      ringer: { hear() {} },
    });
    return host;
  }

  async function twoLive(): Promise<void> {
    for (const id of ['agt_hung', 'agt_well']) {
      terminals.alive.add(id);
      await insert(id);
    }
    await newHost().start();
    for (const id of ['agt_hung', 'agt_well']) await comesTo(id, 'live.thinking');
  }

  it('sees an agent’s end while the terminal of another one does not answer', async () => {
    await twoLive();
    terminals.silent.add('agt_hung');
    terminals.dead.add('agt_well');
    await comesTo('agt_well', 'dormant');
    expect(await phaseOf('agt_hung')).to.equal('live.thinking');
  });

  it('starts, and launches agents, while a terminal does not answer', async () => {
    await twoLive();
    await host?.stop();
    terminals.silent.add('agt_hung');
    await newHost().start();
    terminals.alive.add('agt_new');
    await insert('agt_new');
    await comesTo('agt_new', 'live.thinking');
    terminals.dead.add('agt_well');
    await comesTo('agt_well', 'dormant');
  });

  it('starts while agents move without a pause', async () => {
    terminals.alive.add('agt_restless');
    await insert('agt_restless');
    const registry = storedRegistry(stored);
    let asked = 0;
    const changes: typeof registry.changes = async (hostId) => {
      const { agents } = await registry.changes(hostId, '');
      asked += 1;
      return { agents, cursor: String(asked), more: false };
    };
    await newHost({ ...registry, changes }).start();
    await comesTo('agt_restless', 'live.thinking');
  });

  it('ends the terminals of this installation of which no agent is left, and no other', async () => {
    for (const id of ['agt_well', 'agt_child_of_none', 'agt_gone', 'agt_foreign']) terminals.alive.add(id);
    terminals.foreign.add('agt_foreign');
    await insert('agt_well');
    await insert('agt_gone');
    await stored.store.write(async ({ journal }) => {
      const record = await journal.load('agt_gone');
      const gone = { ...record.snapshot, value: 'gone' };
      const done = record.effects.map(({ key }) => key);
      const { id: agentId, epoch, version } = record;
      await journal.commit({ agentId, epoch, version, snapshot: gone, effects: [], done, facts: [], deadlines: {} });
    });
    await newHost().start();
    await moment('forgotten terminals are ended', () => terminals.alive.size === 2);
    expect([...terminals.alive].sort()).to.deep.equal(['agt_foreign', 'agt_well']);
  });
});

describe('a family’s terminal', () => {
  it('is not started anew by one who looked just before it ended', async () => {
    const terminals = new TerminalsStandIn();
    terminals.alive.add('agt_a');
    const looked = runningTerminal(terminals, 'agt_a');
    const ended = inTurn('agt_a', () => terminals.end('agt_a'));
    expect(await looked).not.to.equal(undefined);
    await ended;
    expect(await runningTerminal(terminals, 'agt_a')).to.equal(undefined);
    expect({ started: terminals.started, alive: [...terminals.alive] }).to.deep.equal({ started: 0, alive: [] });
  });
});
