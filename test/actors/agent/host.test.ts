import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import { Host } from '#actors/host/host.ts';
import type { ConfirmedDigests } from '#actors/host/reading/harness-catalogue.ts';
import { paneObserver } from '#actors/host/reading/observation.ts';
import { runningTerminal, withTerminal } from '#actors/host/typing/terminal-mutex.ts';
import type { Bus } from '#bus/bus.ts';
import type { Failure } from '#contract/failure.ts';
import { type FailureCode, failureCodes } from '#contract/reason/failure-code.ts';
import { agentDefinition, viewOf } from '#machines/agent/agent-view.ts';
import { begin, decide } from '#machines/decide.ts';
import { builtIn } from '#machines/harness/table.ts';
import { newAgent, type StoreFixture, saveHost, storeFixture } from '#test/store/store-fixture.ts';
import { calmMachine } from '#test/support/calm-machine.ts';
import { refusalWith } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import { countingPerformer, silent } from '../actor-fixture.ts';
import { TerminalsStandIn } from '../terminal-stand-in.ts';
import { storedRegistry } from './stored-registry.ts';

const deaf: Pick<Bus, 'subscribe' | 'onReconnect'> = {
  subscribe: () => ({ close() {} }),
  onReconnect: () => ({ close() {} }),
};
/** Every pause of the host is short, so that its rounds follow quickly. */
const hasty: Timer = { now: () => Date.now(), sleep: (_, signal) => delay(2, undefined, signal ? { signal } : {}) };

describe('a host', () => {
  let stored: StoreFixture;
  let terminals: TerminalsStandIn;
  let host: Host | undefined;
  let released: string[];

  beforeEach(async () => {
    stored = await storeFixture();
    await saveHost(stored.store);
    terminals = new TerminalsStandIn();
    released = [];
  });
  afterEach(async () => {
    terminals.silent.clear();
    await host?.stop();
    await stored.close();
  });

  const insert = (id: string) =>
    stored.store.write(({ journal }) => {
      const decision = begin(agentDefinition, { name: id, provision: false, scripts: [] });
      return journal.insert(newAgent(id, { decision }));
    });
  /** Has an agent gone, as the registry does. */
  const end = (id: string) =>
    stored.store.write(async ({ journal }) => {
      const record = await journal.load(id);
      const gone = { ...record.snapshot, value: 'gone' };
      const done = record.effects.map(({ key }) => key);
      const { id: agentId, epoch, version } = record;
      await journal.commit({ agentId, epoch, version, snapshot: gone, effects: [], done, facts: [], deadlines: {} });
    });
  const phaseOf = (id: string) =>
    stored.store.read(async ({ journal }) => viewOf((await journal.load(id)).snapshot).phase);
  const comesTo = (id: string, phase: string) =>
    moment(`${id} comes to ${phase}`, async () => (await phaseOf(id)) === phase);

  function newHost(registry = storedRegistry(stored), onConfirmed = async (_: ConfirmedDigests) => {}): Host {
    const reading = { state: 'AGENT_STATE_THINKING', reason: '' } as const;
    host = new Host({
      id: 'hst_1',
      name: 'here',
      found: () => [],
      onConfirmed,
      condition: calmMachine,
      observePane: paneObserver(builtIn),
      bus: deaf as Bus,
      registry,
      terminals,
      performers: {
        openWindow: countingPerformer('opening', async () => ({ type: 'WINDOW_OPENED', paneId: '%1' })),
        deliverBriefing: countingPerformer('briefing', async () => ({ type: 'BRIEFED', reading })),
      },
      clock: hasty,
      log: silent,
      observe: () => {},
      doorbellSender: { check() {} },
      onGone: ({ id }) => void released.push(id),
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

  it('detects an agent’s end while another terminal does not answer', async () => {
    await twoLive();
    terminals.silent.add('agt_hung');
    terminals.dead.add('agt_well');
    await comesTo('agt_well', 'dormant');
    expect(await phaseOf('agt_hung')).to.equal('live.thinking');
  });

  it('starts and launches agents while a terminal does not answer', async () => {
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

  it('releases a deleted agent, and only that one', async () => {
    await twoLive();
    expect(released).to.deep.equal([]);
    await end('agt_well');
    await moment('it lets go of it', () => released.length > 0);
    expect(released).to.deep.equal(['agt_well']);
    expect(host?.actor('agt_well')).to.equal(undefined);
    expect(host?.actor('agt_hung')).not.to.equal(undefined);
  });

  it('starts while agents keep changing', async () => {
    terminals.alive.add('agt_restless');
    await insert('agt_restless');
    const registry = storedRegistry(stored);
    let asked = 0;
    const changes: typeof registry.changes = async (hostId) => {
      const { agents } = await registry.changes(hostId, '');
      asked += 1;
      return { agents, cursor: String(asked), more: false, departures: [] };
    };
    await newHost({ ...registry, changes }).start();
    await comesTo('agt_restless', 'live.thinking');
  });

  for (const call of ['beat', 'changes', 'families', 'load', 'commit'] as const) {
    it(`keeps running and launches agents after any refusal of ${call}`, async () => {
      const registry = storedRegistry(stored);
      let refusal: Failure | undefined;
      const refusing = async (...given: unknown[]): Promise<unknown> => {
        const thrown = refusal;
        refusal = undefined;
        if (thrown !== undefined) throw thrown;
        return (registry[call] as (...given: unknown[]) => Promise<unknown>)(...given);
      };
      // Once before it has started, and once with each code while it works.
      refusal = refusalWith('internal', 'refused at the start');
      await newHost({ ...registry, [call]: refusing }).start();
      for (const code of Object.keys(failureCodes) as FailureCode[]) {
        const id = `agt_${call.toLowerCase()}_${code}`;
        refusal = refusalWith(code, 'refused while it works');
        terminals.alive.add(id);
        await insert(id);
        await comesTo(id, 'live.thinking');
      }
    });
  }

  it('survives a long outage of the bus, and works again afterwards', async () => {
    const registry = storedRegistry(stored);
    let isAway = true;
    let refused = 0;
    const away = (call: keyof RegistryClient) => {
      return async (...given: unknown[]): Promise<unknown> => {
        const codes = ['unavailable', 'deadline_exceeded'] as const;
        if (isAway) throw refusalWith(codes[refused++ % 2] ?? 'unavailable', 'the bus is away');
        return (registry[call] as (...given: unknown[]) => Promise<unknown>)(...given);
      };
    };
    const calls = Object.keys(registry) as (keyof RegistryClient)[];
    const client = Object.fromEntries(calls.map((call) => [call, away(call)])) as unknown as RegistryClient;
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.prependListener('unhandledRejection', note);
    const many = () => moment('it has asked in vain a thousand times', () => refused >= 1_000);
    terminals.alive.add('agt_before');
    await insert('agt_before');
    const starting = newHost(client).start();
    await many();
    isAway = false;
    await starting;
    await comesTo('agt_before', 'live.thinking');
    [isAway, refused] = [true, 0];
    terminals.alive.add('agt_meanwhile');
    await insert('agt_meanwhile');
    terminals.dead.add('agt_before');
    await many();
    isAway = false;
    await comesTo('agt_meanwhile', 'live.thinking');
    await comesTo('agt_before', 'dormant');
    process.off('unhandledRejection', note);
    expect(unhandled).to.deep.equal([]);
  });

  it('knows the confirmations once a beat is answered, even if a later one was answered first', async () => {
    const answers: ((answer: { confirmed: ConfirmedDigests; nextMs: number }) => void)[] = [];
    const beat: RegistryClient['beat'] = () => new Promise((resolve) => void answers.push(resolve));
    const taken = Promise.withResolvers<void>();
    const heard: ConfirmedDigests[] = [];
    const beating = newHost({ ...storedRegistry(stored), beat }, async (confirmed) => {
      heard.push(confirmed);
      await taken.promise;
    });
    const settled: string[] = [];
    const beats = ['first', 'second'].map((name) => beating.beat().then(() => settled.push(name)));
    await moment('both are asked', () => answers.length === 2);
    answers[1]?.({ confirmed: { house: 'new' }, nextMs: 20_000 });
    await moment('the later one is heard', () => heard.length > 0);
    answers[0]?.({ confirmed: { house: 'old' }, nextMs: 5_000 });
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    expect(settled).to.deep.equal([]);
    taken.resolve();
    await Promise.all(beats);
    expect(heard).to.deep.equal([{ house: 'new' }]);
  });

  it('ends only the terminals of this installation whose agents are all deleted', async () => {
    for (const id of ['agt_well', 'agt_unknown', 'agt_gone', 'agt_foreign']) terminals.alive.add(id);
    terminals.foreign.add('agt_foreign');
    await insert('agt_well');
    await insert('agt_gone');
    await end('agt_gone');
    const countingPerformer: (readonly string[] | undefined)[] = [];
    const registry = storedRegistry(stored);
    const beat: typeof registry.beat = async ({ foundTerminals }) => {
      countingPerformer.push(foundTerminals);
      return { confirmed: {} };
    };
    await newHost({ ...registry, beat }).start();
    await moment('what is left of an agent that is gone is ended', () => !terminals.alive.has('agt_gone'));
    await moment('what nobody knows is countingPerformer', () => countingPerformer.at(-1)?.join() === 'agt_unknown');
    const { outcome, found, mend } = (await host?.checkTerminals()) ?? {};
    expect({ outcome, found }).to.deep.equal({
      outcome: 'warn',
      found:
        '1 terminal runs here whose agents were abandoned, or that the database does not know, for example after a restore: agt_unknown',
    });
    expect(mend).to.contain('attach agt_unknown').and.to.contain('end agt_unknown');
    expect([...terminals.alive].sort()).to.deep.equal(['agt_foreign', 'agt_unknown', 'agt_well']);
  });

  const abandon = (id: string) =>
    stored.store.write(async ({ journal }) => {
      const { id: agentId, epoch, version, snapshot, effects } = await journal.load(id);
      const decision = decide(agentDefinition, snapshot, { type: 'ABANDON' });
      if (decision === undefined) throw new Error(`${id} cannot be abandoned`);
      const done = effects.map(({ key }) => key);
      await journal.commit({
        agentId,
        epoch,
        version,
        snapshot: decision.snapshot,
        effects: [],
        done,
        facts: [],
        deadlines: {},
      });
    });

  for (const when of ['while it was cut off', 'while it did not run'] as const) {
    it(`leaves the terminal of an agent that was abandoned ${when} running, and reports it`, async () => {
      const countingPerformer: (readonly string[] | undefined)[] = [];
      const registry = storedRegistry(stored);
      const beat: typeof registry.beat = async ({ foundTerminals }) => {
        countingPerformer.push(foundTerminals);
        return { confirmed: {} };
      };
      await twoLive();
      if (when === 'while it did not run') {
        await host?.stop();
        await abandon('agt_well');
        await newHost({ ...registry, beat }).start();
      } else {
        await host?.stop();
        await newHost({ ...registry, beat }).start();
        await moment('it is taken up', () => host?.actor('agt_well') !== undefined);
        await abandon('agt_well');
      }
      await moment('it is countingPerformer as found', () => countingPerformer.at(-1)?.join() === 'agt_well');
      expect(host?.actor('agt_well')).to.equal(undefined);
      expect(terminals.alive.has('agt_well')).to.equal(true);
      expect((await host?.checkTerminals())?.outcome).to.equal('warn');
      expect(terminals.alive.has('agt_well')).to.equal(true);
      expect(await phaseOf('agt_well')).to.equal('gone');
    });
  }

  it('rereads everything if its cursor is of another log: older records count, and unknown agents are left alone', async () => {
    await twoLive();
    await host?.stop();
    const registry = storedRegistry(stored);
    let log = 'first';
    const changes: typeof registry.changes = async (hostId, cursor) => {
      const [of = '', seq = ''] = cursor.split('/');
      if (cursor !== '' && of !== log) throw refusalWith('out_of_range', `${cursor} is of another log`);
      const answer = await registry.changes(hostId, seq);
      const agents = answer.agents.filter(({ id }) => log === 'first' || id !== 'agt_well');
      return {
        ...answer,
        agents: agents.map((one) => (log === 'first' ? one : { ...one, version: 1 })),
        cursor: `${log}/${answer.cursor}`,
      };
    };
    const found: string[] = [];
    const families: typeof registry.families = async (asked) => {
      found.splice(0, found.length, ...asked);
      return { installation: 'here', left: log === 'first' ? [...asked] : ['agt_hung'], gone: [], confirmed: {} };
    };
    const running = newHost({ ...registry, changes, families });
    await running.start();
    const before = running.actor('agt_hung')?.record.version;
    expect(before).to.be.greaterThan(1);
    log = 'put back';
    await moment('the agent that the log does not know is let go of', () => running.actor('agt_well') === undefined);
    await moment('the record of the log counts', () => running.actor('agt_hung')?.record.version === 1);
    expect((await running.checkTerminals()).found).to.contain('agt_well');
    expect([...terminals.alive].sort()).to.deep.equal(['agt_hung', 'agt_well']);
  });
});

describe('a family’s terminal', () => {
  it('is not started again by a caller that looked just before it ended', async () => {
    const terminals = new TerminalsStandIn();
    terminals.alive.add('agt_a');
    const looked = runningTerminal(terminals, 'agt_a');
    const ended = withTerminal('agt_a', () => terminals.end('agt_a'));
    expect(await looked).not.to.equal(undefined);
    await ended;
    expect(await runningTerminal(terminals, 'agt_a')).to.equal(undefined);
    expect({ started: terminals.started, alive: [...terminals.alive] }).to.deep.equal({ started: 0, alive: [] });
  });
});
