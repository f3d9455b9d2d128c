import { connect } from 'node:net';
import { Code, ConnectError, createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { expect } from 'chai';
import { operations, resources } from '#contract/table.ts';
import type { AdmissionLimits } from '#gateway/http/admission.ts';
import { describeTable } from '#gateway/proto/descriptors.ts';
import { moment } from '#test/support/moment.ts';
import { authorization, type GatewayFixture, gatewayFixture } from '../gateway-fixture.ts';
import { call, getAgent, type HttpAnswer, listAgents, watchAgents } from '../http-call.ts';
import { connectOverHttp } from '../mcp-client.ts';
import { errorOf, openStream } from '../stream-call.ts';

const long = 3_600_000;
const narrow: AdmissionLimits = { atOnce: 2, waiting: 0, ofOneCaller: 2, slowMs: long, underWay: 100 };

const sendToken: Interceptor = (next) => (request) => {
  request.header.set('authorization', authorization);
  return next(request);
};
const interceptors = [sendToken];
const transports: Readonly<Record<string, (baseUrl: string) => Transport>> = {
  'Connect JSON': (baseUrl) =>
    createConnectTransport({ baseUrl, httpVersion: '1.1', useBinaryFormat: false, interceptors }),
  'Connect binary over HTTP/2': (baseUrl) => createConnectTransport({ baseUrl, httpVersion: '2', interceptors }),
  'gRPC-Web': (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: '1.1', interceptors }),
  gRPC: (baseUrl) => createGrpcTransport({ baseUrl, interceptors }),
};

describe('an overloaded gateway', () => {
  let gateway: GatewayFixture;
  /** Answers the calls that the registry holds, one after the other. */
  let held: (() => void)[];
  let under: Promise<HttpAnswer>[];

  const start = async (admission: AdmissionLimits) => {
    gateway = await gatewayFixture({ admission });
    held = [];
    under = [];
    gateway.answer('GetAgent', () => new Promise((resolve) => held.push(() => resolve({}))));
  };
  /** Fills all places with calls that the registry does not answer yet. */
  const fill = async (): Promise<void> => {
    for (const count of [1, 2]) {
      await moment(`${count} are worked on`, async () => {
        const answer = call(gateway, getAgent, { body: { agentId: `agt_${count}` } });
        const taken = await Promise.race([answer.then(() => false), moment('it', () => held.length === count)]);
        if (taken) under.push(answer);
        return taken;
      });
    }
  };
  afterEach(async () => {
    for (const answer of held) answer();
    await gateway.close();
  });

  it('refuses excess calls with a remedy, and continues once there is room', async () => {
    await start(narrow);
    await fill();
    const { status, json, headers } = await call(gateway, listAgents);
    expect([status, json?.['code'], headers['retry-after']]).to.deep.equal([429, 'resource_exhausted', '1']);
    expect(json?.['message']).to.match(/wait a second, then try again/);
    for (const answer of held.splice(0)) answer();
    expect((await Promise.all(under)).map((answer) => answer.status)).to.deep.equal([200, 200]);
    await moment('there is room again', async () => (await call(gateway, listAgents)).status === 200);
    expect(gateway.log.lines.filter((line) => line.includes('more calls arrive'))).to.have.length(1);
  });

  it('still answers health checks and the front page', async () => {
    await start(narrow);
    await fill();
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect((await call(gateway, path, { method: 'GET' })).status, path).to.equal(200);
    }
    expect((await call(gateway, '/metrics', { method: 'GET' })).text).to.match(/^muster_calls_in_flight 2$/m);
    expect((await call(gateway, '/', { method: 'GET', headers: { authorization: null } })).status).to.equal(200);
    expect((await call(gateway, listAgents, { headers: { authorization: null } })).status).to.equal(401);
  });

  describe('refuses in the form of each protocol:', () => {
    const registry = describeTable(operations, resources);
    const service = registry.getService('agent.v1.AgentService');

    for (const [kind, transportTo] of Object.entries(transports)) {
      it(kind, async () => {
        await start(narrow);
        await fill();
        if (service === undefined) throw new Error('there is no such service');
        const client = createClient(service, transportTo(gateway.url)) as unknown as Readonly<
          Record<string, (request: object) => Promise<unknown>>
        >;
        const refusal = await client['listAgents']?.({}).catch((error: unknown) => ConnectError.from(error));
        expect(refusal).to.include({ code: Code.ResourceExhausted });
        expect((refusal as ConnectError).rawMessage).to.include('wait a second');
      });
    }

    it('a Connect stream', async () => {
      await start(narrow);
      await fill();
      const stream = await openStream(gateway, watchAgents, {});
      expect(stream.status).to.equal(200);
      expect(errorOf(await stream.next())).to.include({ code: 'resource_exhausted' });
      await stream.close();
    });

    it('MCP', async () => {
      await start(narrow);
      const client = await connectOverHttp(gateway.url, '2025');
      await fill();
      const refusal = await client.callTool({ name: 'list_agents', arguments: {} }).catch((error: unknown) => error);
      expect(String(refusal)).to.include('resource_exhausted');
      await client.close();
    });
  });

  it('refuses raw bytes and parsed requests alike', async () => {
    await start(narrow);
    await fill();
    const types = ['json', 'proto', 'connect+json', 'connect+proto', 'grpc-web', 'grpc-web+proto', 'grpc-web+json'];
    for (const type of types.map((one) => `application/${one}`)) {
      const [bare, parsed] = [await refusalOf(type, ''), await refusalOf(type, 'Connection: close\r\n')];
      expect(bare.body, type).to.equal(parsed.body);
      expect(bare.head, type).to.include(parsed.head.filter((line) => line.startsWith('http/1.1')).join());
      const own = /^(connection|keep-alive|content-length|transfer-encoding|date):/;
      expect(bare.head.filter((line) => !own.test(line))).to.deep.equal(parsed.head.filter((line) => !own.test(line)));
      expect(Date.now() - Date.parse(/^date: (.*)$/m.exec(bare.head.join('\n'))?.[1] ?? '')).to.be.below(5_000);
    }
  });

  /** The refusal of a request as sent on the wire, in lower case. */
  async function refusalOf(type: string, more: string): Promise<{ head: string[]; body: string }> {
    const socket = connect(gateway.port, '127.0.0.1').setEncoding('latin1');
    let heard = '';
    socket.on('data', (text: string) => {
      heard += text;
    });
    const head = [`POST ${listAgents} HTTP/1.1`, `Host: 127.0.0.1:${gateway.port}`, `Authorization: ${authorization}`];
    socket.write(`${[...head, `Content-Type: ${type}`, 'Content-Length: 0'].join('\r\n')}\r\n${more}\r\n`);
    await moment('it is refused', () => /resource_exhausted.*\}|grpc-status: 8(\r\n.+)*\r\n\r\n/.test(heard));
    socket.destroy();
    const [lines = ''] = heard.split('\r\n\r\n');
    return { head: lines.toLowerCase().split('\r\n'), body: /\{.*\}/.exec(heard)?.[0] ?? '' };
  }

  it('closes the connection of a refused request with an unread body', async () => {
    await start(narrow);
    await fill();
    const { status, headers } = await call(gateway, listAgents, {
      body: { x: 'x'.repeat(100_000) },
      headers: { connection: 'keep-alive' },
    });
    expect([status, headers.connection]).to.deep.equal([429, 'close']);
    const kept = await call(gateway, listAgents, { headers: { connection: 'keep-alive' } });
    expect([kept.status, kept.headers.connection]).to.deep.equal([429, 'keep-alive']);
  });

  it('has room beside watches, waiting tools and delayed refusals of wrong tokens', async () => {
    const one = { atOnce: 1, waiting: 0, ofOneCaller: 1, slowMs: long, underWay: 1 };
    gateway = await gatewayFixture({ admission: one, throttle: { max: 0, withinMs: 60_000, pauseMs: 200 } });
    held = [];
    gateway.answer('WatchAgents', () => ({ cursor: '1' }));
    const answered = () => moment('it is answered', async () => (await call(gateway, listAgents)).status === 200);
    const stream = await openStream(gateway, watchAgents, {});
    await stream.next();
    await answered();
    const client = await connectOverHttp(gateway.url, '2026-07-28');
    const waiting = client.callTool({ name: 'watch_agents', arguments: { timeoutSeconds: 2 } });
    await moment('it waits', () => gateway.calls.filter(({ method }) => method === 'WatchAgents').length === 2);
    await answered();
    const checks = gateway.checks.length;
    const notNats = call(gateway, listAgents, { headers: { authorization: 'Bearer wrong' } });
    await moment('it was looked at', () => gateway.checks.length > checks);
    await answered();
    expect((await notNats).status).to.equal(429);
    await waiting;
    await stream.close();
    await client.close();
  });
});
