import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { Relay } from '#cli/mcp/relay.ts';
import type { RpcMessage } from '#cli/mcp/rpc-message.ts';
import { moment } from '#test/support/moment.ts';

/** A request as it came to the server. */
interface ReceivedRequest {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answer = (response: ServerResponse) => void;

const json =
  (value: object, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const broken: Answer = (response) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {', () => response.destroy());
const result = (id: number, more: object = {}) => json({ jsonrpc: '2.0', id, result: { ok: true, ...more } });
const meta = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };

describe('the relay between a client and the service', () => {
  let server: Server;
  let baseUrl: string;
  let seen: ReceivedRequest[];
  let answers: Answer[];
  let written: RpcMessage[];
  let relay: Relay;

  const listen = (port = 0) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const make = () =>
    createServer((request, response) => {
      void text(request).then((body) => {
        seen.push({ headers: request.headers, body });
        (answers.shift() ?? result(0))(response);
      });
    });
  const ask = (method: string, params: object = {}, id = 1): string =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const answered = () => moment('it is answered', () => written[0]);

  beforeEach(async () => {
    [seen, answers, written] = [[], [], []];
    server = make();
    await listen();
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    relay = new Relay({
      connection: () => ({ baseUrl, token: 'secret' }),
      write: (message) => void written.push(message),
      patienceMs: 1_000,
    });
  });
  afterEach(async () => {
    await relay.end(0);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('forwards a request unchanged, with the caller’s token', async () => {
    const line =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"id":9007199254740993}}}';
    answers.push(result(1));
    relay.take(line);
    await answered();
    expect(seen[0]?.body).to.equal(line);
    expect(seen[0]?.headers).to.include({ authorization: 'Bearer secret', connection: 'close' });
    expect(seen[0]?.headers).not.to.have.any.keys('mcp-protocol-version', 'mcp-method', 'mcp-name');
  });

  it('sets the headers of the later protocol, also for text beyond ASCII', async () => {
    relay.take(ask('tools/call', { ...meta, name: 'list_agents' }));
    relay.take(ask('resources/read', { ...meta, uri: 'muster://agents/ä' }));
    relay.take(ask('tools/list', meta));
    await moment('all came', () => seen.length === 3);
    const named = (method: string) => seen.find(({ headers }) => headers['mcp-method'] === method)?.headers;
    expect(named('tools/call')).to.include({ 'mcp-protocol-version': '2026-07-28', 'mcp-name': 'list_agents' });
    const base64 = Buffer.from('muster://agents/ä').toString('base64');
    expect(named('resources/read')).to.include({ 'mcp-name': `=?base64?${base64}?=` });
    expect(named('tools/list')).not.to.have.any.keys('mcp-name');
  });

  it('uses the negotiated protocol, and offers subscriptions', async () => {
    answers.push(result(1, { protocolVersion: '2025-06-18', capabilities: { tools: {}, resources: {} } }), result(2));
    relay.take(ask('initialize'));
    expect((await answered()).result?.['capabilities']).to.deep.equal({ tools: {}, resources: { subscribe: true } });
    relay.take(ask('tools/list'));
    await moment('it came', () => seen.length === 2);
    expect(seen[1]?.headers).to.include({ 'mcp-protocol-version': '2025-06-18' });
  });

  it('reads a streamed answer, however it is split', async () => {
    const events = `: hello\n\nevent: message\r\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress' })}\r\n\r\ndata:\n\ndata: {"jsonrpc":"2.0","id":1,\ndata: "result":{"name":"ä"}}\n\n`;
    answers.push((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const byte of Buffer.from(events)) response.write(Buffer.of(byte));
      response.end();
    });
    relay.take(ask('tools/call', { name: 'a' }));
    await moment('all came', () => written.length === 2);
    expect(written.map(({ method, result: given }) => method ?? given)).to.deep.equal([
      'notifications/progress',
      { name: 'ä' },
    ]);
  });

  it('passes on protocol errors with any status', async () => {
    const error = { code: -32022, message: 'no such revision', data: { supported: ['2026-07-28'] } };
    answers.push(json({ jsonrpc: '2.0', id: 1, error }, 400));
    relay.take(ask('server/discover', meta));
    expect((await answered()).error).to.deep.equal(error);
  });

  it('does not repeat a write that broke off, and reports that it may have been executed', async () => {
    answers.push(broken);
    relay.take(ask('tools/call', { name: 'create_agent' }));
    expect((await answered()).result)
      .to.deep.include({ isError: true })
      .and.not.to.have.any.keys('resultType');
    expect(JSON.stringify(written[0])).to.match(/"code":"unavailable","message":"[^"]*may have succeeded/);
    expect(seen).to.have.length(1);
  });

  it('reports that to a client of the later protocol in its form', async () => {
    answers.push(broken);
    relay.take(ask('tools/call', { ...meta, name: 'create_agent' }));
    expect((await answered()).result).to.include({ isError: true, resultType: 'complete' });
  });

  it('repeats a read that broke off or that the service cannot answer yet', async () => {
    const data = { code: 'unavailable', message: 'The registry does not answer' };
    answers.push(broken, json({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'away', data } }), result(1));
    relay.take(ask('tools/list'));
    expect((await answered()).result).to.deep.equal({ ok: true });
    expect(seen).to.have.length(3);
  });

  it('returns a read’s failure after its time limit', async () => {
    const data = { code: 'unavailable', message: 'The registry does not answer' };
    answers = Array.from({ length: 20 }, () =>
      json({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'away', data } }),
    );
    relay.take(ask('tools/list'));
    expect((await answered()).error).to.deep.include({ data });
  });

  it('waits with a call for a service that is down, and then reports it', async () => {
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    relay.take(ask('tools/call', { name: 'create_agent' }));
    expect(JSON.stringify(await answered())).to.match(/"code":"unavailable","message":"muster is not running/);
    relay.take(ask('tools/call', { name: 'create_agent' }, 2));
    answers.push(result(2));
    server = make();
    await listen(port);
    await moment('it is answered', () => written[1]);
    expect(written[1]?.result).to.deep.equal({ ok: true });
    expect(seen).to.have.length(1);
  });

  it('reports another program at the address', async () => {
    answers.push((response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<html>'));
    relay.take(ask('tools/list'));
    expect((await answered()).error?.message).to.match(/unimplemented: .* answered HTTP 404/);
  });

  it('answers no cancelled request', async () => {
    answers.push(() => undefined, result(2));
    relay.take(ask('tools/call', { name: 'a' }));
    await moment('it came', () => seen.length === 1);
    relay.take(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }));
    relay.take(ask('tools/list', {}, 2));
    await answered();
    await relay.end(0);
    expect(written.map(({ id }) => id)).to.deep.equal([2]);
  });
});
