import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startGateway } from '#gateway/gateway.ts';
import { type Instance, startInstance } from '#test/channels/instance.ts';
import { call, type HttpAnswer, type HttpQuestion, listAgents } from '#test/gateway/http-call.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

const day = 24 * 60 * 60_000;

describe('signing in to the page', function () {
  this.timeout(60_000);
  let folder: TemporaryFolder;
  let instance: Instance;
  before(async () => {
    folder = temporaryFolder('sign-in');
    makePage(folder.path);
    instance = await startInstance({ pageFolder: join(folder.path, 'page') });
  });
  after(async () => {
    await instance.close();
    folder.remove();
  });

  const newCode = async () => (await instance.fixture.call<{ oneTimeCode: string }>('CreateSignInCode')).oneTimeCode;
  const ask = (path: string, { headers = {}, ...question }: HttpQuestion = {}) =>
    call(instance, path, { ...question, headers: { authorization: null, ...headers } });
  const ourPage = () => ({ origin: instance.url, 'sec-fetch-site': 'same-origin' });
  const exchange = (code: unknown, headers: HttpQuestion['headers'] = ourPage()) =>
    ask('/session', { headers, body: { code } });
  const cookieOf = ({ headers }: HttpAnswer) => headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const signedIn = async () => cookieOf(await exchange(await newCode()));
  const listWith = (headers: HttpQuestion['headers']) => ask(listAgents, headers === undefined ? {} : { headers });

  it('takes a code once, and its cookie is of no use to a script, another site or another port', async () => {
    const code = await newCode();
    const first = await exchange(code);
    expect(first.status).to.equal(200);
    const [cookie = ''] = first.headers['set-cookie'] ?? [];
    expect(cookie).to.match(
      new RegExp(`^muster_${instance.port}=mss_[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Expires=`),
    );
    expect(first.text).not.to.include('mss_');
    const again = await exchange(code);
    expect([again.status, again.json?.['code'], again.headers['set-cookie']]).to.deep.equal([
      401,
      'unauthenticated',
      undefined,
    ]);
    expect(again.json?.['message']).to.include('muster open');
  });

  it('takes of two that come at once with the same code one', async () => {
    const code = await newCode();
    const statuses = await Promise.all([exchange(code), exchange(code), exchange(code)]);
    expect(statuses.map(({ status }) => status).sort()).to.deep.equal([200, 401, 401]);
  });

  it('takes no code that is 60 seconds old, guessed, or no text at all', async () => {
    const [early, late] = [await newCode(), await newCode()];
    instance.fixture.clock.pass(59_999);
    expect((await exchange(early)).status).to.equal(200);
    instance.fixture.clock.pass(1);
    expect((await exchange(late)).status).to.equal(401);
    for (const guess of ['A'.repeat(32), '../etc', "' or 1=1 --", late.slice(0, -1)]) {
      expect((await exchange(guess)).status, guess).to.equal(401);
    }
    for (const odd of ['', 7, null, ['x'], { code: 'x' }, 'x'.repeat(201)]) {
      expect((await exchange(odd)).status, JSON.stringify(odd)).to.equal(400);
    }
    expect((await exchange('x'.repeat(5_000))).status).to.equal(413);
  });

  it('makes a code for nobody but the person', async () => {
    const { id } = await instance.fixture.create({ role: 'AGENT_ROLE_ORCHESTRATOR' });
    for (const token of [undefined, 'guessed', instance.fixture.tokenOf(id)]) {
      const { status } = await ask('/session.v1.SessionService/CreateSignInCode', {
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      });
      expect(status, String(token)).to.equal(token?.startsWith('mst_') ? 403 : 401);
    }
  });

  it('counts a cookie only where the browser says that our own page asks', async () => {
    const cookie = await signedIn();
    expect((await listWith({ cookie, ...ourPage() })).status).to.equal(200);
    expect((await listWith({ cookie, origin: instance.url })).status).to.equal(200);
    const elsewhere: Readonly<Record<string, Record<string, string>>> = {
      'another site, whose browser sends the cookie all the same': { 'sec-fetch-site': 'cross-site' },
      'another port of this machine': { 'sec-fetch-site': 'same-site' },
      'an address that was typed': { 'sec-fetch-site': 'none' },
      'a program that says nothing of where it is': {},
    };
    for (const [who, headers] of Object.entries(elsewhere)) {
      expect((await listWith({ cookie, ...headers })).status, who).to.equal(401);
    }
    for (const origin of ['http://evil.example', `http://127.0.0.1:${instance.port + 1}`, 'null']) {
      const answer = await listWith({ cookie, origin, 'sec-fetch-site': 'same-origin' });
      expect([answer.status, answer.json?.['code']], origin).to.deep.equal([403, 'permission_denied']);
    }
    expect((await listWith({ cookie, host: 'evil.example', 'sec-fetch-site': 'same-origin' })).status).to.equal(403);
  });

  it('does nothing for a page of another site: neither a form, nor a script without a preflight', async () => {
    const cookie = await signedIn();
    const site = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
      const headers = { ...site, cookie, 'content-type': type };
      expect((await ask('/session', { headers, body: 'code=x' })).status, type).to.equal(403);
      const own = { ...ourPage(), cookie, 'content-type': type };
      expect((await ask('/session', { headers: own, body: `{"code":"x"}` })).status, type).to.be.oneOf([400, 415]);
    }
    const preflight = await ask(listAgents, {
      method: 'OPTIONS',
      headers: { ...site, 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers).not.to.have.property('access-control-allow-origin');
    expect((await ask('/session', { method: 'DELETE', headers: { ...site, cookie } })).status).to.equal(403);
    expect((await listWith({ cookie, ...ourPage() })).status).to.equal(200);
  });

  it('takes no other token from a cookie, no second one, and none at /mcp', async () => {
    const cookie = await signedIn();
    const name = `muster_${instance.port}`;
    const operator = `${name}=${instance.fixture.operatorToken}`;
    for (const bad of [operator, `${cookie}; ${cookie}`, cookie.replace(name, 'muster_1'), `${name}=`]) {
      expect((await listWith({ cookie: bad, ...ourPage() })).status, bad).to.equal(401);
    }
    const headers = { cookie, ...ourPage(), accept: 'application/json, text/event-stream' };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await ask('/mcp', { headers, body })).status).to.equal(401);
  });

  it('ends a session by signing out, in 30 days, and with the operator’s token; not by a restart', async () => {
    const [left, stays] = [await signedIn(), await signedIn()];
    const headers = { cookie: left, ...ourPage(), 'content-type': null };
    const out = await ask('/session', { method: 'DELETE', headers });
    expect([out.status, out.headers['set-cookie']?.[0]]).to.deep.equal([
      200,
      `muster_${instance.port}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`,
    ]);
    expect((await listWith({ cookie: left, ...ourPage() })).status).to.equal(401);
    await instance.fixture.restart();
    expect((await listWith({ cookie: stays, ...ourPage() })).status).to.equal(200);
    instance.fixture.clock.pass(30 * day);
    expect((await listWith({ cookie: stays, ...ourPage() })).status).to.equal(401);
    const last = await signedIn();
    writeFileSync(join(instance.fixture.folder.path, 'operator.token'), 'mst_another\n');
    await instance.fixture.restart();
    expect((await listWith({ cookie: last, ...ourPage() })).status).to.equal(401);
    writeFileSync(join(instance.fixture.folder.path, 'operator.token'), `${instance.fixture.operatorToken}\n`);
    await instance.fixture.restart();
  });

  it('names the cookie for this host alone, and for encrypted connections, where there is TLS', async () => {
    const code = await newCode();
    const pem = (name: string) => readFileSync(new URL(`../gateway/tls/localhost.${name}.pem`, import.meta.url));
    const gateway = await startGateway({
      bus: instance.fixture.gateway,
      bind: '127.0.0.1',
      port: 0,
      log: instance.log,
      tls: { cert: pem('cert'), key: pem('key') },
    });
    try {
      const { port } = new URL(gateway.url);
      const headers = { 'content-type': 'application/json', origin: gateway.url, 'sec-fetch-site': 'same-origin' };
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const question = { method: 'POST', headers, rejectUnauthorized: false, agent: false };
        const asked = request(`${gateway.url}/session`, question, resolve);
        asked.on('error', reject);
        asked.end(JSON.stringify({ code }));
      });
      answer.resume();
      expect(answer.headers['set-cookie']?.[0]).to.match(
        new RegExp(`^__Host-muster_${port}=mss_[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Secure; Expires=`),
      );
    } finally {
      await gateway.stop();
    }
  });

  it('writes neither a code nor a session into the log', async () => {
    const code = await newCode();
    const cookie = cookieOf(await exchange(code));
    await listWith({ cookie, ...ourPage() });
    const log = instance.log.lines.join('\n');
    expect(log).not.to.include(code).and.not.to.include(cookie.split('=')[1]);
  });

  describe('and what the page is', () => {
    const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'content-type': null };
    const get = (path: string, headers: HttpQuestion['headers'] = {}) =>
      ask(path, { method: 'GET', headers: { ...html, ...headers } });

    it('is under a policy that lets nothing in from outside and nobody frame it, with a nonce of its own', async () => {
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
        expect(text).to.include(`nonce="${nonce}"`).and.not.to.include('MUSTER_NONCE');
        nonces.add(nonce);
      }
      expect(nonces.size).to.equal(5);
    });

    it('has files that never change under their names, in the smallest form that is taken', async () => {
      const plain = await get('/assets/main-1.js');
      expect([plain.status, plain.text, plain.headers['content-encoding']]).to.deep.equal([200, 'main()', undefined]);
      expect(plain.headers).to.include({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
        // Of a worker that is made of it: it may load other scripts of the page, and call nobody.
        'content-security-policy': "default-src 'none'; script-src 'self'; frame-ancestors 'none'",
      });
      const packed = await get('/assets/main-1.js', { 'accept-encoding': 'gzip, deflate, br;q=0' });
      expect(packed.headers['content-encoding']).to.equal('gzip');
    });

    it('names no file of the disk, and swallows nothing that is not its own', async () => {
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
        '/secret',
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
});

function makePage(folder: string): void {
  mkdirSync(join(folder, 'page', 'assets', 'sub'), { recursive: true });
  writeFileSync(join(folder, 'secret'), 'hidden');
  writeFileSync(join(folder, 'page', 'secret'), 'hidden');
  writeFileSync(
    join(folder, 'page', 'index.html'),
    '<html><script nonce="MUSTER_NONCE" src="/assets/main-1.js"></script>',
  );
  writeFileSync(join(folder, 'page', 'assets', 'main-1.js'), 'main()');
  writeFileSync(join(folder, 'page', 'assets', 'main-1.js.gz'), gzipSync('main()'));
  writeFileSync(join(folder, 'page', 'assets', 'sub', 'deep.js'), 'hidden');
}
