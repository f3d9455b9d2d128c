import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { isOwnStatus, ownStatuses } from '#contract/http-status.ts';
import { pathOf } from '#contract/operation.ts';
import { type FailureCode, failureCodes } from '#contract/reason/failure-code.ts';
import { failureReasons } from '#contract/reason/failure-reasons.ts';
import { operations } from '#contract/table.ts';
import { refusalWith } from '#test/support/failure.ts';
import { authorization, type GatewayFixture, gatewayFixture } from '../gateway-fixture.ts';
import { call, createAgent, getAgent, type HttpQuestion, listAgents, watchAgents } from '../http-call.ts';

/** Whether a status is that of a code, or one of HTTP's own that belongs to it. */
function belongs(status: number, code: unknown): boolean {
  const own = isOwnStatus(status) ? failureReasons[ownStatuses[status].reason].code : undefined;
  return failureCodes[code as FailureCode]?.status === status || own === code;
}

describe('the status of a refusal', () => {
  let gateway: GatewayFixture;
  before(async () => {
    gateway = await gatewayFixture({ throttle: { max: 1_000_000, withinMs: 60_000, pauseMs: 0 }, h2c: false });
  });
  after(() => gateway.close());

  const noToken = { authorization: null };
  const wrong = { authorization: 'Bearer wrong' };
  const ways: Readonly<Record<string, readonly [path: string, question: HttpQuestion, status: number]>> = {
    'an unknown path': ['/nowhere', {}, 404],
    'an unknown path, by GET': ['/nowhere', { method: 'GET' }, 404],
    'an unknown path without a token': ['/nowhere', { headers: noToken }, 404],
    'an unknown method of a service': ['/agent.v1.AgentService/Nothing', {}, 404],
    'a path that is no path': ['/%zz', { method: 'GET' }, 400],
    'a method that nothing takes': ['/healthz', { method: 'POST' }, 404],
    'GET of a write': [createAgent, { method: 'GET' }, 405],
    'PUT of an operation': [createAgent, { method: 'PUT' }, 405],
    'OPTIONS of an operation': [createAgent, { method: 'OPTIONS', headers: noToken }, 405],
    'a content type': [createAgent, { headers: { 'content-type': 'text/plain' } }, 415],
    'a content type that is none': [createAgent, { headers: { 'content-type': 'nonsense' } }, 415],
    'no content type': [createAgent, { headers: { 'content-type': null } }, 415],
    'a content type of streams': [createAgent, { headers: { 'content-type': 'application/connect+json' } }, 415],
    'a content type of single calls on a stream': [watchAgents, {}, 415],
    'a body that is too large': [createAgent, { body: 'x'.repeat(5_000_000) }, 413],
    'a body that inflates': [
      createAgent,
      { body: gzipSync('0'.repeat(5_000_000)), headers: { 'content-encoding': 'gzip' } },
      413,
    ],
    'an unknown compression': [createAgent, { headers: { 'content-encoding': 'zstd' } }, 501],
    'broken JSON': [createAgent, { body: '{' }, 400],
    'a wrong deadline': [createAgent, { headers: { 'connect-timeout-ms': 'x' } }, 400],
    'no token': [createAgent, { headers: noToken }, 401],
    'a wrong token': [createAgent, { headers: wrong }, 401],
    'another host': [createAgent, { headers: { host: 'evil.example' } }, 403],
    'another origin': [createAgent, { headers: { origin: 'http://evil.example' } }, 403],
    'headers that are too large': [createAgent, { headers: { 'x-large': 'x'.repeat(20_000) } }, 431],
    'an expectation': [createAgent, { headers: { expect: 'wonders' } }, 417],
    'MCP without a token': ['/mcp', { headers: noToken }, 401],
    'MCP with a wrong token': ['/mcp', { headers: wrong }, 401],
    'MCP with a content type': ['/mcp', { headers: { 'content-type': 'text/plain' } }, 415],
    'MCP with a body that is too large': ['/mcp', { body: 'x'.repeat(5_000_000) }, 413],
    'MCP by PUT': ['/mcp', { method: 'PUT' }, 404],
    'the session without a token': ['/session', { method: 'GET', headers: noToken }, 401],
    'signing out without a token': ['/session', { method: 'DELETE', headers: noToken }, 401],
    'signing in with nothing': ['/session', { body: {} }, 400],
    'signing in with broken JSON': ['/session', { body: '{' }, 400],
    'signing in with an empty body': ['/session', { body: '' }, 400],
    'signing in with a content type': ['/session', { headers: { 'content-type': 'text/plain' } }, 415],
    'signing in with a large body': ['/session', { body: 'x'.repeat(2_000) }, 413],
    'a file that is not there': ['/assets/nothing.js', { method: 'GET' }, 404],
    'metrics for a wrong token, forwarded': ['/metrics', { method: 'GET', headers: { ...wrong, via: 'x' } }, 401],
  };
  for (const [what, [path, question, expected]] of Object.entries(ways)) {
    it(`is ${expected} for ${what}, which matches its code`, async () => {
      const { status, json, text } = await call(gateway, path, question);
      expect(status, text).to.equal(expected);
      expect(belongs(status, json?.['code']), `${status} ${text}`).to.equal(true);
      expect(json?.['message']).to.be.a('string').and.not.to.equal('');
    });
  }

  for (const [code, { status }] of Object.entries(failureCodes)) {
    it(`is ${status} if the registry returns ${code}`, async () => {
      gateway.answer('GetAgent', () => {
        throw refusalWith(code as FailureCode, 'no');
      });
      const answer = await call(gateway, getAgent, { body: { agentId: 'agt_1' } });
      expect([answer.status, answer.json?.['code']]).to.deep.equal([status, code]);
    });
  }

  it('matches its code at every operation', async () => {
    for (const row of operations) {
      for (const question of [{ body: '{' }, { method: 'GET' }, { method: 'PATCH' }, { headers: wrong }] as const) {
        const { status, json, text } = await call(gateway, `/${pathOf(row)}`, question);
        expect(belongs(status, json?.['code']), `${row.method} ${status} ${text}`).to.equal(true);
      }
    }
  });

  it('matches its code if the request is not HTTP', async () => {
    const head = `POST ${listAgents} HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\nAuthorization: ${authorization}\r\n`;
    const requests = [
      'nonsense\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'CONNECT evil.example:80 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
      `${head}Content-Length: x\r\n\r\n`,
      `${head}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ];
    for (const bytes of requests) {
      const socket = connect(gateway.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(bytes);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      const [, status = ''] = /^HTTP\/1\.1 ([0-9]{3}) /.exec(String(answer)) ?? [];
      const [, code] = /"code":"([a-z_]+)"/.exec(String(answer)) ?? [];
      // The front page is open to anyone.
      if (!bytes.startsWith('GET / HTTP/1.1')) expect(belongs(Number(status), code), String(answer)).to.equal(true);
      socket.destroy();
    }
  });
});
