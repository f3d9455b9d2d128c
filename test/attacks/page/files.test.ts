import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type Instance, startInstance } from '#test/channels/instance.ts';
import { call, type HttpQuestion } from '#test/gateway/http-call.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

describe('the page’s files', () => {
  let folder: TemporaryFolder;
  let instance: Instance;
  before(async () => {
    folder = temporaryFolder('page-files');
    makePage(folder.path);
    instance = await startInstance({ pageFolder: join(folder.path, 'page') });
  });
  after(async () => {
    await instance.close();
    folder.remove();
  });

  const ask = (path: string, { headers = {}, ...question }: HttpQuestion = {}) =>
    call(instance, path, { ...question, headers: { authorization: null, ...headers } });
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const html = { accept, 'content-type': null, host: 'muster.localhost' };
  const get = (path: string, headers: HttpQuestion['headers'] = {}) =>
    ask(path, { method: 'GET', headers: { ...html, ...headers } });

  it('are served with a policy that blocks external content and frames, with a nonce each', async () => {
    const nonces = new Set<string>();
    for (const path of ['/', '/agents/agt_1', '/archived', '/machines/agent?at=3', '/']) {
      const { status, headers, text } = await get(path);
      const policy = String(headers['content-security-policy']);
      expect([status, headers['content-type'], headers['cache-control']], path).to.deep.equal([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ]);
      expect(policy).to.include("default-src 'none'").and.to.include("script-src 'self';");
      expect(policy).to.include("frame-ancestors 'none'").and.to.include("base-uri 'none'");
      expect(policy)
        .not.to.include('unsafe')
        .and.not.to.match(/https?:/);
      expect(headers).to.include({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      });
      const [, nonce = ''] = /'nonce-([\w-]{24})'/.exec(policy) ?? [];
      expect(text)
        .to.include(`nonce="${nonce}"`)
        .and.not.to.match(/MUSTER_(?:NONCE|PROOF)/);
      expect(text).to.match(/name="dpop-nonce" content="[\w-]{24}"/);
      nonces.add(nonce);
    }
    expect(nonces.size).to.equal(5);
  });

  it('redirect every other name of the service to the page’s own, and report sessions of an earlier release', async () => {
    const at = `http://muster.localhost:${instance.port}`;
    for (const host of [`127.0.0.1:${instance.port}`, `localhost:${instance.port}`]) {
      const { status, headers, text } = await get('/agents/agt_1?at=3', { host });
      expect([status, headers.location, text.includes('<html')]).to.deep.equal([307, `${at}/agents/agt_1?at=3`, false]);
    }
    const cookie = `theme=dark; muster_${instance.port}=mss_${'A'.repeat(43)}`;
    for (const host of [`127.0.0.1:${instance.port}`, `muster.localhost:${instance.port}`]) {
      const { status, headers } = await get('/mail', { host, cookie });
      expect([status, headers.location]).to.deep.equal([307, `${at}/mail?signed-out=update`]);
      expect(headers['set-cookie']).to.deep.equal([
        `muster_${instance.port}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`,
      ]);
    }
    expect((await get('//evil.example/', { host: `127.0.0.1:${instance.port}` })).status).to.equal(404);
    expect((await get('/', { host: `127.0.0.1:${instance.port}`, accept: '*/*' })).status).to.equal(200);
  });

  it('are immutable under their names, and served in the smallest accepted encoding', async () => {
    const plain = await get('/assets/main-1.js');
    expect([plain.status, plain.text, plain.headers['content-encoding']]).to.deep.equal([200, 'main()', undefined]);
    expect(plain.headers).to.include({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      // The policy of a worker: it may load other scripts of the page, and make no requests.
      'content-security-policy': "default-src 'none'; script-src 'self'; frame-ancestors 'none'",
    });
    const packed = await get('/assets/main-1.js', { 'accept-encoding': 'gzip, deflate, br;q=0' });
    expect(packed.headers['content-encoding']).to.equal('gzip');
  });

  it('answer an unknown path with a page, to a browser only', async () => {
    const { status, text } = await get('/secret/place');
    expect([status, text.includes('<html'), text.includes('hidden')]).to.deep.equal([404, true, false]);
    expect((await get('/secret', { accept: '*/*' })).text).to.not.include('<html');
  });

  it('reveal no other file of the disk', async () => {
    const outside = [
      '/assets/../secret',
      '/assets/..%2fsecret',
      '/assets/%2e%2e%2fsecret',
      '/assets/..%5csecret',
      '/assets//etc/passwd',
      '/assets/main-1.js%00.css',
      '/assets/sub/deep.js',
      '/assets/',
      '/..%2f..%2fsecret',
      '/agent.v1.AgentService/NoSuchMethod',
    ];
    for (const path of outside) {
      const { status, text } = await get(path);
      expect([status >= 400, text.includes('hidden'), text.includes('<html')], path).to.deep.equal([
        true,
        false,
        false,
      ]);
    }
    expect((await get('/healthz')).json).to.deep.equal({ status: 'ok' });
    expect((await get('/mcp')).status).to.be.at.least(400);
    expect((await ask('/agents/agt_1', { body: {} })).status).to.equal(404);
    expect((await get('/', { accept: '*/*' })).headers['content-type']).to.match(/^text\/plain/);
  });
});

function makePage(folder: string): void {
  mkdirSync(join(folder, 'page', 'assets', 'sub'), { recursive: true });
  writeFileSync(join(folder, 'secret'), 'hidden');
  writeFileSync(join(folder, 'page', 'secret'), 'hidden');
  writeFileSync(
    join(folder, 'page', 'index.html'),
    '<html><meta name="dpop-nonce" content="MUSTER_PROOF"><script nonce="MUSTER_NONCE" src="/assets/main-1.js"></script>',
  );
  writeFileSync(join(folder, 'page', 'assets', 'main-1.js'), 'main()');
  writeFileSync(join(folder, 'page', 'assets', 'main-1.js.gz'), gzipSync('main()'));
  writeFileSync(join(folder, 'page', 'assets', 'sub', 'deep.js'), 'hidden');
}
