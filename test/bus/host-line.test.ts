import { expect } from 'chai';
import { greetingEndpoints } from '#actors/registry/host/greeting.ts';
import { placesOf } from '#actors/registry/host/host-endpoint.ts';

import type { Bus } from '#bus/bus.ts';
import { type HostLine, openHostLine } from '#bus/host-line/host-line.ts';
import { HostLines } from '#bus/host-line/host-lines.ts';
import { makeKeyPair } from '#bus/seal/key-pair.ts';
import { Failure } from '#contract/failure.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { noPeers } from '#test/support/no-peers.ts';
import { type TestClock, testClock } from '#test/support/test-clock.ts';
import { type NatsFixture, natsFixture } from './nats-fixture.ts';

describe('a host’s connection to the registry', () => {
  const key = makeKeyPair();
  let nats: NatsFixture;
  let registry: Bus;
  let host: Bus;
  let lines: HostLines;
  let line: HostLine;
  let registryClock: TestClock;
  let hostClock: TestClock;
  let answered: unknown[];

  beforeEach(async () => {
    nats = await natsFixture();
    [registry, host] = await Promise.all([nats.join('registry'), nats.join('host')]);
    [registryClock, hostClock] = [testClock(), testClock()];
    hostClock.pass(86_400_000);
    answered = [];
    lines = new HostLines(registry, registryClock.monotonic, 'reg_1');
    await registry.serve({ name: 'registry', version: '1.0.0', endpoints: greetingOf(lines, 'reg_1') });
    line = openHostLine(host, 'hst_1', key, { monotonic: hostClock.monotonic });
    const handle = (body: unknown) => {
      answered.push(body);
      return { ok: true };
    };
    await line.serve({ name: 'host', version: '1.0.0' }, [{ verb: 'look', handle }]);
    await line.ask('here', {}, 5_000);
  });
  afterEach(async () => {
    line.close();
    await nats.close();
  });

  /** How a registry answers a host that begins a session. */
  const greetingOf = (itsLines: HostLines, instance: string) => {
    const hosts = { find: async () => ({ key: key.publicKey, keyEpoch: 0 }), hold: async () => {} };
    const joinedHosts = { find: async () => undefined };
    const work = (use: (tables: unknown) => unknown) => use({ hosts, joinedHosts });
    const store = { read: work, write: work };
    const scope = { store, lines: itsLines, holder: { instance }, hints: noPeers, log: { warn() {} } };
    return greetingEndpoints(scope as never);
  };

  it('answers within a request’s time limit, with clocks that are a day apart', async () => {
    hostClock.pass(4_000);
    registryClock.pass(4_000);
    expect(await lines.ask('hst_1', 'look', { agentId: 'agt_1' }, 5_000)).to.deep.equal({ ok: true });
    expect(answered).to.deep.equal([{ agentId: 'agt_1' }]);
  });

  it('sends no permit request to a host that cannot get permits', async () => {
    const ask = () => lines.ask('hst_1', 'look', { ticket: 'abc' }, 5_000);
    expect((await failureOf(ask)).message).to.contain('update and restart muster on it');
    expect(answered).to.deep.equal([]);
    await line.ask('here', { asksPermits: true }, 5_000);
    await ask();
    expect(answered).to.deep.equal([{ ticket: 'abc' }]);
  });

  it('ignores a request whose caller no longer waits', async () => {
    hostClock.pass(6_000);
    const { code } = await failureOf(() => lines.ask('hst_1', 'look', { agentId: 'agt_1' }, 5_000));
    expect(code).to.equal('deadline_exceeded');
    expect(answered).to.deep.equal([]);
    await line.ask('here', {}, 5_000);
    expect(await lines.ask('hst_1', 'look', {}, 5_000)).to.deep.equal({ ok: true });
  });

  it('waits for a host that reports progress, and soon fails for a silent one', async () => {
    const second = await nats.joinHost('hst_2');
    let isStopped = false;
    let pings = 0;
    const serve: Bus['serve'] = ({ endpoints, ...service }) =>
      second.serve({
        ...service,
        endpoints: endpoints.map((endpoint) => ({
          ...endpoint,
          handle(body, call) {
            if (endpoint.name === 'ping') pings += 1;
            return isStopped ? new Promise(() => {}) : endpoint.handle(body, call);
          },
        })),
      });
    const other = openHostLine({ ...second, serve }, 'hst_2', key, { monotonic: hostClock.monotonic });
    const walked = Promise.withResolvers<object>();
    await other.serve({ name: 'other', version: '1.0.0' }, [{ verb: 'walk', handle: () => walked.promise }]);
    await other.ask('here', {}, 5_000);
    registryClock.pass(11_000);
    hostClock.pass(11_000);
    const walking = lines.ask('hst_2', 'walk', {}, 60_000);
    await moment('it is asked whether it is there', () => pings === 1);
    expect(await Promise.race([walking, lines.ask('hst_1', 'look', {}, 5_000)])).to.deep.equal({ ok: true });
    walked.resolve({ walked: true });
    expect(await walking).to.deep.equal({ walked: true });
    isStopped = true;
    registryClock.pass(11_000);
    const since = performance.now();
    const { code, reason } = await failureOf(() => lines.ask('hst_2', 'walk', {}, 60_000));
    expect({ code, reason }).to.deep.equal({ code: 'unavailable', reason: 'HOST_SILENT' });
    expect(performance.now() - since).to.be.lessThan(30_000);
    other.close();
  });

  it('fails within seconds if the request was lost, although beats arrive', async () => {
    const elsewhere = await nats.join('host');
    elsewhere.subscribe('host.hst_1.walk', () => {});
    await elsewhere.roundTrip();
    const since = performance.now();
    const { reason } = await failureOf(() => lines.ask('hst_1', 'walk', {}, 60_000));
    expect(reason).to.equal('HOST_TIMED_OUT');
    expect(performance.now() - since).to.be.lessThan(20_000);
    expect(await lines.ask('hst_1', 'look', {}, 5_000)).to.deep.equal({ ok: true });
  });

  /** Has two registries answer a verb of hosts; gives who was asked, in order. `serveFirst` answers for the first. */
  const withOtherRegistry = async (serveFirst: (note: (by: string) => object) => Promise<unknown>) => {
    const noted: string[] = [];
    const note = (by: string) => {
      noted.push(by);
      return {};
    };
    await serveFirst(note);
    const bus = await nats.join('registry');
    const otherLines = new HostLines(bus, registryClock.monotonic, 'reg_2');
    const endpoint = { name: 'note', envelope: otherLines.envelope, handle: () => note('reg_2') };
    const endpoints = [...placesOf(endpoint, { instance: 'reg_2' }), ...greetingOf(otherLines, 'reg_2')];
    await bus.serve({ name: 'other', version: '1.0.0', endpoints });
    otherLines.greet('hst_1');
    await moment('the other one notes it', () => line.ask('note', {}, 60_000).then(Boolean, () => false));
    for (let asked = 0; asked < 4; asked += 1) await line.ask('note', {}, 60_000);
    return noted;
  };

  it('uses another registry if its own has lost its database', async () => {
    const noted = await withOtherRegistry((note) => {
      const handle = () => {
        note('reg_1');
        throw new Failure('DATABASE_UNAVAILABLE', 'PostgreSQL does not answer');
      };
      const endpoint = { name: 'note', envelope: lines.envelope, handle };
      return registry.serve({ name: 'notes', version: '1.0.0', endpoints: placesOf(endpoint, { instance: 'reg_1' }) });
    });
    expect(noted[0]).to.equal('reg_1');
    expect(noted.slice(-5)).to.deep.equal(Array.from({ length: 5 }, () => 'reg_2'));
  });

  it('uses another registry within seconds if its own hangs', async () => {
    const since = performance.now();
    const noted = await withOtherRegistry(async () => {
      registry.subscribe('registry.from.*.note.reg_1', () => {});
    });
    expect(noted).to.deep.equal(Array.from({ length: 5 }, () => 'reg_2'));
    expect(performance.now() - since).to.be.lessThan(30_000);
  });

  it('continues over a new connection before any request', async () => {
    const other = new HostLines(registry, registryClock.monotonic, 'reg_2');
    expect((await failureOf(() => other.ask('hst_1', 'look', {}, 50))).code).to.equal('unavailable');
    await nats.kill();
    await moment('both are cut off', () => !host.connected && !registry.connected);
    await nats.restart();
    await moment('both are back', () => host.connected && registry.connected);
    // A server that has just come up may hear a question before it hears who answers it.
    const answer = await moment('it answers', () => lines.ask('hst_1', 'look', {}, 5_000).catch(() => undefined));
    expect(answer).to.deep.equal({ ok: true });
  });

  it('receives requests even while the server still considers its earlier connection open', async () => {
    const dead = await nats.join('host');
    // Another connection that answers the same subjects and is gone without a word: it takes nothing from this one.
    const gone = openHostLine(dead, 'hst_1', makeKeyPair(), { monotonic: hostClock.monotonic });
    await gone.serve({ name: 'host', version: '1.0.0' }, [{ verb: 'look', handle: () => ({ ok: false }) }]);
    for (let asked = 0; asked < 10; asked += 1) {
      expect(await lines.ask('hst_1', 'look', { asked }, 5_000)).to.deep.equal({ ok: true });
    }
    expect(answered).to.have.lengthOf(10);
    gone.close();
  });
});
