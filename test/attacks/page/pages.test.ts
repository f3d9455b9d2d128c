import { expect } from 'chai';
import { pathOf } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { type GatewayFixture, gatewayFixture } from '#test/gateway/gateway-fixture.ts';
import { call } from '#test/gateway/http-call.ts';
import { someOf } from '#test/support/some-of.ts';

describe('an attack from a web page', () => {
  let gateway: GatewayFixture;
  before(async () => {
    gateway = await gatewayFixture();
  });
  after(() => gateway.close());

  const paths = ['/', '/healthz', '/mcp', '/nowhere', ...operations.map((row) => `/${pathOf(row)}`)];

  it('with a name that resolves to this machine is refused on every path, before authentication', async () => {
    const port = String(gateway.port);
    const names = [
      { host: 'evil.example' },
      { host: `evil.example:${port}` },
      { host: `evil.example:${port}`, origin: `http://evil.example:${port}` },
      { host: `127.0.0.1.evil.example:${port}` },
      { host: `localhost.:${port}` },
      { host: `127.1:${port}` },
    ];
    for (const [turn, headers] of names.entries()) {
      for (const path of someOf(paths, turn)) {
        const { status, json } = await call(gateway, path, { headers: { ...headers, authorization: null } });
        expect([status, json?.['code']], `${path} ${JSON.stringify(headers)}`).to.deep.equal([
          403,
          'permission_denied',
        ]);
      }
    }
    expect(gateway.asked()).to.equal(0);
  });

  it('of another origin is refused on every path, even with a valid token', async () => {
    const before = gateway.asked();
    const origins = ['http://evil.example', 'https://evil.example', 'null', `http://127.0.0.1:1`, 'file://'];
    for (const [turn, origin] of origins.entries()) {
      for (const path of someOf(paths, turn)) {
        const { status, headers } = await call(gateway, path, { headers: { origin } });
        expect(status, `${path} ${origin}`).to.equal(403);
        expect(Object.keys(headers).join()).not.to.contain('access-control');
      }
    }
    expect(gateway.asked()).to.equal(before);
  });

  it('gets no CORS permission, on any path', async () => {
    for (const origin of ['http://evil.example', `http://127.0.0.1:${gateway.port}`]) {
      for (const path of paths) {
        const { status, headers } = await call(gateway, path, {
          method: 'OPTIONS',
          headers: {
            origin,
            authorization: null,
            'content-type': null,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'authorization,content-type',
            'access-control-request-private-network': 'true',
          },
        });
        expect(status, path).to.be.within(400, 405);
        expect(Object.keys(headers).join(), path).not.to.contain('access-control');
      }
    }
  });

  it('with a form, which needs no preflight, finds no accepted content type', async () => {
    const types = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'];
    for (const [turn, type] of types.entries()) {
      for (const row of someOf(operations, turn)) {
        const { status } = await call(gateway, `/${pathOf(row)}`, { headers: { 'content-type': type }, body: '{}' });
        expect(status, row.method).to.equal(415);
      }
    }
  });

  it('with an address alone, as of an image, changes nothing', async () => {
    gateway.calls.length = 0;
    for (const row of operations.filter(({ access }) => access === 'write')) {
      const path = `/${pathOf(row)}?connect=v1&encoding=json&message=${encodeURIComponent('{}')}`;
      expect((await call(gateway, path, { method: 'GET', headers: { 'content-type': null } })).status).to.equal(405);
    }
    expect(gateway.calls).to.deep.equal([]);
  });
});
