import { connect as connectHttp2 } from 'node:http2';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { authorization, type GatewayFixture, gatewayFixture } from '../gateway-fixture.ts';
import { call, type HttpQuestion } from '../http-call.ts';
import { connectOverHttp, everyEra } from '../mcp-client.ts';

/** A request of 2025, which is on its own too. */
const listTools = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
const accept = { accept: 'application/json, text/event-stream' };

describe('the MCP endpoint', () => {
  let gateway: GatewayFixture;
  afterEach(() => gateway.close());

  const ask = ({ headers = {}, ...question }: HttpQuestion = {}) =>
    call(gateway, '/mcp', { body: listTools, ...question, headers: { ...accept, ...headers } });
  const without = (method: string, headers: HttpQuestion['headers'] = {}) =>
    call(gateway, '/mcp', { method, headers: { ...accept, 'content-type': null, ...headers } });
  const outcome = async (question: HttpQuestion) => {
    const { status, json } = await ask(question);
    return [status, json?.['code']];
  };

  it('refuses callers without a valid token, and requests one', async () => {
    gateway = await gatewayFixture();
    for (const value of [null, 'Bearer wrong', 'Basic abc']) {
      const { status, json, headers } = await ask({ headers: { authorization: value } });
      expect([status, json?.['code'], headers['www-authenticate']]).to.deep.equal([401, 'unauthenticated', 'Bearer']);
    }
    for (const method of ['GET', 'DELETE']) {
      expect((await without(method, { authorization: null })).status).to.equal(401);
    }
    expect((await ask()).status).to.equal(200);
    gateway.revoke();
    expect((await ask()).status, 'at once when it is taken away').to.equal(401);
  });

  it('refuses requests from foreign pages before it checks the token', async () => {
    gateway = await gatewayFixture();
    for (const headers of [{ host: 'evil.example' }, { origin: 'http://evil.example' }, { origin: 'null' }]) {
      expect(await outcome({ headers: { authorization: null, ...headers } })).to.deep.equal([403, 'permission_denied']);
    }
    expect((await ask({ headers: { origin: gateway.url } })).status).to.equal(200);
    expect(gateway.checks).to.have.length(1);
  });

  it('accepts JSON only, of 4 MiB at most', async () => {
    gateway = await gatewayFixture();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', null]) {
      expect(await outcome({ headers: { 'content-type': type } })).to.deep.equal([415, 'invalid_argument']);
    }
    expect((await ask({ headers: { 'content-type': 'application/json; charset=utf-8' } })).status).to.equal(200);
    const [status, code] = await outcome({ body: JSON.stringify({ ...listTools, pad: 'x'.repeat(4 * 1024 * 1024) }) });
    expect([status, code]).to.deep.equal([413, 'resource_exhausted']);
  });

  it('answers invalid or ambiguous JSON as JSON-RPC does', async () => {
    gateway = await gatewayFixture();
    const twice = '{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call"}';
    for (const body of ['{"jsonrpc":', '', twice, `${'['.repeat(100)}${']'.repeat(100)}`, '{"__proto__":{}}']) {
      const { status, json } = await ask({ body });
      expect([status, json?.['id']], body.slice(0, 40)).to.deep.equal([400, null]);
      expect(json?.['error']).to.include({ code: -32700 });
    }
  });

  it('refuses an integer that it would have to round, in place of a small integer or a text', async () => {
    gateway = await gatewayFixture();
    for (const [name, given] of [
      ['list_agents', '{"pagination":{"pageSize":9007199254740993}}'],
      ['cancel_schedule_run', '{"runId":9007199254740993}'],
    ]) {
      const call = `{"name":"${name}","arguments":${given}}`;
      const { text } = await ask({ body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${call}}` });
      expect(text).to.include('invalid_argument');
    }
    expect(gateway.calls).to.deep.equal([]);
  });

  it('has no sessions', async () => {
    gateway = await gatewayFixture();
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await without(method);
      expect([status, headers.allow]).to.deep.equal([405, 'POST']);
    }
    expect((await without('PUT')).status).to.equal(404);
  });

  it('slows callers that try many tokens', async () => {
    gateway = await gatewayFixture({ throttle: { max: 1, withinMs: 60_000, pauseMs: 100 } });
    const notNats = { authorization: 'Bearer wrong' };
    expect(await outcome({ headers: notNats })).to.deep.equal([401, 'unauthenticated']);
    expect(await outcome({ headers: notNats })).to.deep.equal([429, 'resource_exhausted']);
    expect((await ask()).status, 'whoever holds a right one').to.equal(200);
  });

  it('reports a registry that is down, and recovers without the client’s action', async () => {
    gateway = await gatewayFixture();
    gateway.answer('ListAgents', () => ({ nextPageToken: 'more' }));
    const clients = await Promise.all(everyEra.map((era) => connectOverHttp(gateway.url, era)));
    await gateway.nats.kill();
    const outcomes = clients.map(async (client) => {
      const away = await client.callTool({ name: 'list_agents', arguments: {} });
      expect([away.isError, (away.structuredContent as { code: string }).code]).to.deep.equal([true, 'unavailable']);
      const refusal = await client.listTools().catch((error: unknown) => error);
      expect(refusal).to.include({ code: -32603 });
    });
    await Promise.all(outcomes);
    await gateway.nats.restart();
    for (const client of clients) {
      await moment('it works again', async () => {
        const { structuredContent } = await client.callTool({ name: 'list_agents', arguments: {} });
        return (structuredContent as { nextPageToken?: string }).nextPageToken === 'more';
      });
      await client.close();
    }
  });

  it('works over HTTP/2 too', async () => {
    gateway = await gatewayFixture();
    const session = connectHttp2(gateway.url);
    const stream = session.request({
      ':method': 'POST',
      ':path': '/mcp',
      'content-type': 'application/json',
      authorization,
      ...accept,
    });
    stream.end(JSON.stringify(listTools));
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    session.close();
    expect(text).to.include('"list_agents"');
  });
});
