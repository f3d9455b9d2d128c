import { expect } from 'chai';
import { UnauthenticatedThrottle } from '#gateway/http/unauthenticated-throttle.ts';
import { failureOf, refusalWith } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type GatewayFixture, gatewayFixture } from '../gateway-fixture.ts';
import { call, getAgent, listAgents, watchAgents } from '../http-call.ts';
import { errorOf, openStream, type StreamCall } from '../stream-call.ts';

describe('the limits of one caller', () => {
  let gateway: GatewayFixture;
  const streams: StreamCall[] = [];
  afterEach(async () => {
    await Promise.all(streams.splice(0).map((stream) => stream.close()));
    await gateway.close();
  });

  async function watch(headers = {}): Promise<StreamCall> {
    const stream = await openStream(gateway, watchAgents, {}, headers);
    streams.push(stream);
    return stream;
  }

  it('cap the watches of a token, and allow one more once one ends', async () => {
    gateway = await gatewayFixture({ streamsPerToken: 2 });
    gateway.answer('WatchAgents', () => ({ agents: [], goneAgentIds: [], cursor: '1' }));
    const first = await watch();
    await first.next();
    await (await watch()).next();
    const { code, message } = errorOf(await (await watch()).next());
    expect(code).to.equal('resource_exhausted');
    expect(message).to.contain('2 watches');
    expect((await call(gateway, listAgents)).status, 'other calls go on').to.equal(200);
    expect(errorOf(await (await watch({ authorization: 'Bearer other' })).next())).to.include({
      code: 'unauthenticated',
    });
    await first.close();
    await moment('there is room again', async () => errorOf(await (await watch()).next()) === undefined);
  });

  describe('for unknown tokens', () => {
    // On a busy machine a call that is not delayed takes a good part of a second, too.
    const throttle = { max: 3, withinMs: 60_000, pauseMs: 1_500 };
    const wrong = (count: number) => ({ authorization: `Bearer wrong${count}` });
    const outcome = async (headers: Record<string, string>, path = listAgents, body: string | object = {}) => {
      const since = performance.now();
      const { status, json } = await call(gateway, path, { headers, body });
      return { status, code: json?.['code'], late: performance.now() - since >= throttle.pauseMs };
    };

    it('cap the attempts, and then delay the refusal, on every kind of call', async () => {
      gateway = await gatewayFixture({ throttle });
      for (let count = 1; count <= 3; count += 1) {
        expect(await outcome(wrong(count))).to.deep.equal({ status: 401, code: 'unauthenticated', late: false });
      }
      const refused = { status: 429, code: 'resource_exhausted', late: true };
      expect(await outcome(wrong(4))).to.deep.equal(refused);
      expect(await outcome(wrong(5), getAgent, '{"broken":')).to.deep.equal(refused);
      expect(errorOf(await (await watch(wrong(6))).next())).to.include({ code: 'resource_exhausted' });
    });

    it('lock out no valid token, even a new one', async () => {
      gateway = await gatewayFixture({ throttle });
      const flood = Array.from({ length: 20 }, (_, count) => outcome(wrong(count)));
      await moment('the flood is at its height', () => gateway.asked() > 10);
      expect(await outcome({})).to.deep.equal({ status: 200, code: undefined, late: false });
      const outcomes = await Promise.all(flood);
      expect(outcomes.filter(({ code }) => code === 'resource_exhausted')).to.have.length(17);
      expect(await outcome({})).to.deep.equal({ status: 200, code: undefined, late: false });
    });

    it('ignore calls without a token, and other refusals', async () => {
      gateway = await gatewayFixture({ throttle });
      gateway.answer('GetAgent', () => {
        throw refusalWith('permission_denied', 'not offered');
      });
      for (let count = 0; count < 5; count += 1) {
        expect((await call(gateway, listAgents, { headers: { authorization: null } })).status).to.equal(401);
        expect((await call(gateway, getAgent, { body: { agentId: 'agt_1' } })).status).to.equal(403);
      }
      expect(await outcome(wrong(1))).to.deep.equal({ status: 401, code: 'unauthenticated', late: false });
    });
  });
});

describe('the counter of wrong tokens', () => {
  const unknown = () => Promise.reject(refusalWith('unauthenticated', 'not known'));
  const counter = (withinMs: number) =>
    new UnauthenticatedThrottle({ max: 2, withinMs, pauseMs: 0 }, new AbortController().signal);
  const tries = async (throttle: UnauthenticatedThrottle, addresses: readonly string[]) => {
    const codes: string[] = [];
    for (const address of addresses) codes.push((await failureOf(() => throttle.admit(address, unknown))).code);
    return codes;
  };
  const [plain, over] = ['unauthenticated', 'resource_exhausted'];

  it('is separate for each address, and for each IPv6 network', async () => {
    expect(await tries(counter(60_000), ['10.0.0.1', '10.0.0.1', '10.0.0.2', '10.0.0.1'])).to.deep.equal([
      plain,
      plain,
      plain,
      over,
    ]);
    const same = ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::ffff'];
    expect(await tries(counter(60_000), same)).to.deep.equal([plain, plain, over]);
    const apart = ['2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8::1', '::1'];
    expect(await tries(counter(60_000), apart)).to.deep.equal([plain, plain, plain, plain]);
  });

  it('restarts after its interval', async () => {
    const throttle = counter(40);
    expect(await tries(throttle, ['a', 'a', 'a'])).to.deep.equal([plain, plain, over]);
    await moment('a new beginning', async () => (await tries(throttle, ['a'])).join() === plain);
  });
});
