import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:http2';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { publishFact } from '#bus/facts.ts';
import { moment } from '#test/support/moment.ts';
import { authorization, type GatewayFixture, gatewayFixture } from '../gateway-fixture.ts';
import { watchAgents } from '../http-call.ts';
import { enveloped, errorOf, type Frame, openStream, type StreamCall } from '../stream-call.ts';

const watchFacts = '/fact.v1.FactService/WatchFacts';
const watchDoorbells = '/agent.v1.AgentService/WaitForDoorbells';
const count = 40;
const headers = {
  'content-type': 'application/connect+json',
  'connect-accept-encoding': 'gzip',
  authorization,
};

describe('watches that share a tail', () => {
  let gateway: GatewayFixture;
  let log: Record<string, unknown>[];
  const streams: StreamCall[] = [];

  /** A registry whose log is read two rows at a time. A shared answer omits what only the caller may see. */
  beforeEach(async () => {
    gateway = await gatewayFixture({ heartbeatMs: 60_000, patienceMs: 20_000 });
    log = [];
    for (const [method, list] of [
      ['WatchAgents', 'agents'],
      ['WatchFacts', 'facts'],
    ] as const) {
      gateway.answer(method, ({ cursor = '0', subjectId = '' }) => {
        const from = Number(cursor);
        const page = log.slice(from, from + 2);
        const own = page.filter((item) => subjectId === '' || item['subjectId'] === subjectId);
        const at = from + page.length;
        return { [list]: own, cursor: String(at), ...(at < log.length && method === 'WatchAgents' && { more: true }) };
      });
    }
  });
  afterEach(async () => {
    await Promise.all(streams.splice(0).map((stream) => stream.close()));
    await gateway.close();
  });

  const open = async (path: string, message: object = {}): Promise<StreamCall> => {
    const stream = await openStream(gateway, path, message);
    streams.push(stream);
    return stream;
  };
  const hint = (subjectId: string, kind = 'agent.changed') =>
    publishFact(gateway.registry, { kind, seq: String(log.length), subjectId });
  const moveAgent = (agent: Record<string, unknown>) => {
    log.push({ agent });
    hint(String(agent['id']));
  };
  const next = async (stream: StreamCall): Promise<Frame['json']> => {
    const frame = await stream.next();
    expect(frame?.end, JSON.stringify(frame?.json)).to.equal(false);
    return frame?.json ?? {};
  };
  /** Reads until a stream has caught up. */
  const drain = async (stream: StreamCall): Promise<Frame['json'][]> => {
    const frames: Frame['json'][] = [];
    for (let last: Frame['json'] | undefined; last === undefined || Object.keys(last).length > 1; ) {
      last = await next(stream);
      frames.push(last);
    }
    return frames;
  };

  it('read the registry once for all, at their opening and for each change', async () => {
    for (const id of ['a', 'b', 'c']) log.push({ agent: { id } });
    const many = await Promise.all(Array.from({ length: count }, () => open(watchAgents)));
    const openings = await Promise.all(many.map(drain));
    for (const frames of openings) expect(frames).to.deep.equal(openings[0]);
    expect(gateway.calls.length, 'for the opening').to.be.below(count / 2);
    gateway.calls.length = 0;
    moveAgent({ id: 'd' });
    const changes = await Promise.all(many.map(next));
    for (const change of changes) expect(change).to.deep.equal({ agents: [{ agent: { id: 'd' } }], cursor: '4' });
    expect(gateway.calls.length, 'for the change').to.be.within(1, 4);
  });

  it('converge after they resume at different positions', async () => {
    for (let at = 0; at < count; at += 1) log.push({ agent: { id: `a${at}` } });
    const many = await Promise.all(Array.from({ length: count }, (_, at) => open(watchAgents, { cursor: String(at) })));
    const ids = (frames: Frame['json'][]) =>
      frames.flatMap(({ agents = [] }) => (agents as { agent: { id: string } }[]).map(({ agent }) => agent.id));
    for (const [at, frames] of (await Promise.all(many.map(drain))).entries()) {
      expect(ids(frames)).to.deep.equal(log.slice(at).map(({ agent }) => (agent as { id: string }).id));
    }
    gateway.calls.length = 0;
    moveAgent({ id: 'last' });
    await Promise.all(many.map(next));
    expect(gateway.calls.length).to.be.within(1, 4);
  });

  it('converge while rows keep changing, and show no row in an older state', async () => {
    const [agents, moving] = [20, 190];
    const moves: string[] = [];
    const asked: number[] = [];
    const move = () => {
      moves.push(`a${moves.length % agents}`);
      hint('a');
    };
    // Rows as they are now, as the registry sends them; one moves at each request, so each finds another end.
    gateway.answer('WatchAgents', ({ cursor = '0' }) => {
      asked.push(performance.now());
      if (moves.length < moving) move();
      const places = new Map(moves.map((id, place) => [id, place]));
      const moved = [...places].filter(([, place]) => place >= Number(cursor));
      return {
        agents: moved.map(([id, place]) => ({ agent: { id, name: String(place) } })),
        cursor: `${moves.length}`,
      };
    });
    while (moves.length < count) move();
    const many = await Promise.all(Array.from({ length: count }, (_, at) => open(watchAgents, { cursor: String(at) })));
    const readings = many.map(async (stream) => {
      for (const seen = new Map<string, number>(); !seen.has(`a${(moving - 1) % agents}`) || moves.length < moving; ) {
        for (const { agent } of ((await next(stream))['agents'] ?? []) as { agent: { id: string; name: string } }[]) {
          expect(Number(agent.name), agent.id).to.be.at.least(seen.get(agent.id) ?? 0);
          seen.set(agent.id, Number(agent.name));
        }
      }
    });
    await Promise.all(readings);
    // At last once every 50 ms, give or take a late timer, though 40 watches on their own would ask 500 times a second.
    const [first = 0, last = 0] = [asked.at(-41), asked.at(-1)];
    expect(last - first).to.be.above(150);
  });

  it('deliver facts of one subject only where requested, without a separate read', async () => {
    const all = await open(watchFacts);
    const ofOne = await open(watchFacts, { subjectId: 'agt_1' });
    const ofTwo = await open(watchFacts, { subjectId: 'agt_2' });
    for (const stream of [all, ofOne, ofTwo]) await next(stream);
    gateway.calls.length = 0;
    const fact = (subjectId: string, seq: number) => ({ seq: String(seq), kind: 'agent.changed', subjectId });
    // More than a page about the other one goes before.
    log.push(fact('agt_2', 1), fact('agt_2', 2), fact('agt_2', 3), fact('agt_1', 4));
    hint('agt_1');
    const facts = async (stream: StreamCall, wanted: number) => {
      const seqs: unknown[] = [];
      while (seqs.length < wanted) {
        for (const { seq } of ((await next(stream))['facts'] ?? []) as { seq: string }[]) seqs.push(seq);
      }
      return seqs;
    };
    expect(await facts(ofOne, 1)).to.deep.equal(['4']);
    expect(await facts(ofTwo, 3)).to.deep.equal(['1', '2', '3']);
    expect(await facts(all, 4)).to.deep.equal(['1', '2', '3', '4']);
    expect(gateway.calls.map(({ request }) => request['subjectId'])).to.not.include.members(['agt_1']);
  });

  it('read separately only what an agent alone may see', async () => {
    gateway.actAs({ kind: 'agent', agentId: 'agt_me', role: 'implementer' });
    const stream = await open(watchAgents);
    await next(stream);
    for (const [agent, shared] of [
      [{ id: 'agt_other' }, true],
      [{ id: 'agt_me' }, false],
      [{ id: 'agt_child', parentAgentId: 'agt_me' }, false],
    ] as const) {
      gateway.calls.length = 0;
      moveAgent(agent);
      await next(stream);
      const asked = gateway.calls.filter(({ request }) => request['cursor'] === String(log.length - 1));
      expect(asked.at(-1)?.shared, agent.id).to.equal(shared);
    }
  });

  it('end with the token at its next check, even without changes', async () => {
    const stream = await open(watchAgents);
    await next(stream);
    gateway.calls.length = 0;
    const checked = gateway.liveChecks();
    gateway.revoke();
    expect(errorOf(await stream.next())).to.include({ code: 'unauthenticated' });
    expect(gateway.liveChecks() - checked).to.be.at.most(2);
    expect(gateway.calls).to.deep.equal([]);
  });

  it('send nothing to a token that was revoked while the bus was down', async () => {
    const stream = await open(watchAgents);
    await next(stream);
    await gateway.nats.kill();
    gateway.revoke();
    log.push({ agent: { id: 'a' } });
    await gateway.nats.restart();
    expect(errorOf(await stream.next())).to.include({ code: 'unauthenticated' });
  });

  it('wake a call that waits for its doorbell on facts of its agent only', async () => {
    gateway.actAs({ kind: 'agent', agentId: 'agt_me', role: 'implementer' });
    gateway.answer('WaitForDoorbells', () => ({ doorbells: [], cursor: '0' }));
    await next(await open(watchDoorbells));
    gateway.calls.length = 0;
    hint('agt_other', 'doorbell.raised');
    hint('agt_me', 'doorbell.raised');
    await moment('it asks', () => gateway.calls.length > 0);
    await moment('it has asked', () => performance.now() - (gateway.calls.at(-1)?.at ?? 0) > 200);
    expect(gateway.calls.length).to.equal(1);
  });

  it('send the same compressed and plain', async () => {
    log.push({ agent: { id: 'a', name: 'x'.repeat(5_000) } });
    const plain = await open(watchAgents);
    const zipped = await openStream(gateway, watchAgents, {}, { 'connect-accept-encoding': 'gzip' });
    streams.push(zipped);
    expect(await next(zipped)).to.deep.equal(await next(plain));
  });

  /** Callers of one connection each, or of one together, in a protocol. */
  const ways: Readonly<Record<string, () => { call(): { destroy(): unknown }; end(): void }>> = {
    'HTTP/1.1': () => ({
      call() {
        const caller = request({ port: gateway.port, path: watchAgents, method: 'POST', headers, agent: false });
        caller.on('error', () => undefined).end(enveloped({}));
        return caller;
      },
      end: () => undefined,
    }),
    'HTTP/2': () => {
      const session = connect(gateway.url);
      return {
        call() {
          const caller = session.request({ ':method': 'POST', ':path': watchAgents, ...headers });
          caller.on('error', () => undefined).end(enveloped({}));
          return caller;
        },
        end: () => session.destroy(),
      };
    },
  };
  for (const [protocol, open] of Object.entries(ways))
    it(`are no fault for callers that leave while their message is compressed, over ${protocol}`, async () => {
      const has = (words: string) => gateway.log.lines.filter((line) => line.includes(words));
      await moment('one leaves at that moment', async () => {
        log = [{ agent: { id: 'a', name: randomBytes(300_000).toString('hex') } }];
        gateway.calls.length = 0;
        const { call, end } = open();
        const callers = Array.from({ length: count }, call);
        await moment('the registry is asked', () => gateway.calls.length > 0);
        // Each leaves a little later than the one before.
        for (const caller of callers) {
          caller.destroy();
          await turn();
        }
        end();
        // It stops once its streams have ended.
        await gateway.restart();
        return has('a caller left before its message was written').length > 0;
      });
      expect(has('failed unexpectedly')).to.deep.equal([]);
    });
});
