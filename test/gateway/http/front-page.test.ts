import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { pathOf } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { type GatewayFixture, gatewayFixture, token } from '../gateway-fixture.ts';
import { call } from '../http-call.ts';

describe('the front page of the gateway', () => {
  let gateway: GatewayFixture;
  before(async () => {
    gateway = await gatewayFixture({ pageFolder: '/dev/null/page' });
  });
  after(() => gateway.close());
  const front = (headers: Record<string, string> = {}, method = 'GET') =>
    call(gateway, '/', { method, headers: { authorization: null, 'content-type': null, ...headers } });
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };

  it('shows name, version and links to anyone', async () => {
    const { status, text, headers } = await front();
    expect([status, headers['content-type']]).to.deep.equal([200, 'text/plain; charset=utf-8']);
    expect(text).to.match(new RegExp(`^muster ${version.replaceAll('.', '\\.')}\n`));
    expect(text)
      .to.include('muster --help')
      .and.to.include('docs/reference/README.md')
      .and.to.include('/readyz')
      .and.to.include('/mcp');
    expect(headers).to.include({ vary: 'Accept', 'cache-control': 'no-store' });
    const [, example = ''] = /such as POST \/(\S+)/.exec(text) ?? [];
    expect(operations.map(pathOf)).to.include(example);
  });

  it('is JSON for a program on request, and text for a browser if no page was built', async () => {
    const { json, headers } = await front({ accept: 'application/json' });
    expect(headers['content-type']).to.match(/^application\/json/);
    expect(json).to.include({ name: 'muster', version, health: '/healthz' });
    const browser = 'text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8';
    expect((await front({ accept: browser })).headers['content-type']).to.match(/^text\/plain/);
  });

  it('calls no registry, reveals no secret, and answers only to this server’s own names', async () => {
    const asked = gateway.asked();
    const { text } = await front({ authorization: `Bearer ${token}` });
    expect(text).not.to.include(token).and.not.to.include(String(process.pid));
    expect(gateway.asked()).to.equal(asked);
    expect((await front({ host: 'evil.example' })).status).to.equal(403);
    expect((await front({ origin: 'https://evil.example' })).status).to.equal(403);
    expect((await front({}, 'POST')).status).to.be.at.least(400);
  });
});
