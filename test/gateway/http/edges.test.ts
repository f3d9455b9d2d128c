import { connect as connectSocket } from 'node:net';
import { expect } from 'chai';
import { originRefusal } from '#gateway/http/edges.ts';
import { type GatewayFixture, gatewayFixture } from '../gateway-fixture.ts';
import { call, listAgents } from '../http-call.ts';

const here = { origin: undefined, localAddress: '127.0.0.1', localPort: 7433, encrypted: false };
const baseUrl = 'https://muster.example';
const passes = (arrival: object) =>
  originRefusal({ host: undefined, ...here, ...arrival }, () => baseUrl) === undefined;

describe('an acceptable request', () => {
  it('names this server, with its port', () => {
    for (const host of ['127.0.0.1:7433', 'localhost:7433', 'LOCALHOST:7433', '[::1]:7433', 'muster.example']) {
      expect(passes({ host }), host).to.equal(true);
    }
    const wrong = [
      undefined,
      '',
      'evil.example',
      'evil.example:7433',
      '127.0.0.1',
      '127.0.0.1:80',
      'localhost:07433x',
      'muster.example:7433',
      'localhost.evil.example:7433',
      '127.0.0.1:7433@evil.example',
      '0x7f000001:7433',
      '10.0.0.7:7433',
    ];
    for (const host of wrong) expect(passes({ host }), host).to.equal(false);
  });

  it('may use the address that its connection reached', () => {
    expect(passes({ host: '10.0.0.7:7433', localAddress: '10.0.0.7' })).to.equal(true);
    expect(passes({ host: '10.0.0.7:7433', localAddress: '::ffff:10.0.0.7' })).to.equal(true);
    expect(passes({ host: '[fd00::7]:7433', localAddress: 'fd00::7' })).to.equal(true);
    expect(passes({ host: '10.0.0.7', localAddress: '10.0.0.7', localPort: 443, encrypted: true })).to.equal(true);
    expect(passes({ host: '10.0.0.7', localAddress: '10.0.0.7', localPort: 80 })).to.equal(true);
  });

  it('comes from no page, or from one of this server', () => {
    const host = 'localhost:7433';
    for (const origin of [undefined, 'http://localhost:7433', 'https://muster.example']) {
      expect(passes({ host, origin }), origin).to.equal(true);
    }
    const wrong = [
      'null',
      '',
      'http://localhost',
      'https://localhost:7433',
      'http://127.0.0.1:7433',
      'http://evil.example',
    ];
    for (const origin of wrong) expect(passes({ host, origin }), origin).to.equal(false);
  });
});

describe('the edge of the gateway', () => {
  let gateway: GatewayFixture;

  before(async () => {
    gateway = await gatewayFixture();
  });
  after(() => gateway.close());

  it('refuses a rebound name and a foreign page on every path, before authentication', async () => {
    for (const headers of [{ host: 'evil.example' }, { origin: 'http://evil.example' }, { origin: 'null' }]) {
      for (const path of [listAgents, '/healthz', '/nowhere']) {
        const answer = await call(gateway, path, { headers: { ...headers, authorization: null } });
        expect([answer.status, answer.json?.['code']], path).to.deep.equal([403, 'permission_denied']);
      }
    }
    expect(gateway.asked()).to.equal(0);
  });

  it('allows its own page, and no other page', async () => {
    const origin = `http://localhost:${gateway.port}`;
    const own = { host: `localhost:${gateway.port}`, origin };
    expect((await call(gateway, listAgents, { headers: own })).status).to.equal(200);
    const preflight = await call(gateway, listAgents, {
      method: 'OPTIONS',
      headers: { ...own, 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).to.equal(405);
    expect(Object.keys(preflight.headers).join()).not.to.contain('access-control');
  });

  it('answers anything but HTTP with 400 in its own form', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connectSocket(gateway.port, '127.0.0.1', () => socket.write('GET /\r\nfoo bar\r\n\r\n'));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString();
      });
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer)
      .to.match(/^HTTP\/1\.1 400 /)
      .and.to.contain('"code":"invalid_argument"');
  });

  it('answers oversized headers with 431', async () => {
    const answer = await call(gateway, listAgents, { headers: { 'x-large': 'x'.repeat(20_000) } });
    expect([answer.status, answer.json?.['code']]).to.deep.equal([431, 'resource_exhausted']);
  });

  it('answers an invalid path', async () => {
    expect((await call(gateway, '/%zz')).json)
      .to.have.property('code')
      .that.is.oneOf(['invalid_argument', 'unimplemented']);
  });
});
