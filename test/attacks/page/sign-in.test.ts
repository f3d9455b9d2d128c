import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { expect } from 'chai';
import { calculateThumbprint, generateKeyPair, generateProof } from 'dpop';
import Fastify from 'fastify';
import { boundToken } from '#contract/access/session-token.ts';
import { startGateway } from '#gateway/gateway.ts';
import { ProofNonces } from '#gateway/page/proof-nonces.ts';
import { ProvenSessions } from '#gateway/page/proven-sessions.ts';
import { admitSession } from '#gateway/page/session-proof.ts';
import { credentialOf } from '#gateway/rpc/credential.ts';
import { type Instance, startInstance } from '#test/channels/instance.ts';
import { call, type HttpAnswer, type HttpQuestion, listAgents } from '#test/gateway/http-call.ts';
import { type PageBrowser, type ProofOf, pageBrowser } from '#test/gateway/page-session.ts';

const day = 24 * 60 * 60_000;

describe('signing in to the page', () => {
  let instance: Instance;
  before(async () => {
    instance = await startInstance();
  });
  after(() => instance.close());

  const newCode = async () => (await instance.fixture.call<{ oneTimeCode: string }>('CreateSignInCode')).oneTimeCode;
  const ask = (path: string, { headers = {}, ...question }: HttpQuestion = {}) =>
    call(instance, path, { ...question, headers: { authorization: null, ...headers } });
  const signedIn = async (): Promise<PageBrowser> => {
    const browser = await pageBrowser(instance);
    expect((await browser.signIn(await newCode())).status).to.equal(200);
    return browser;
  };
  const statusOf = async (asked: Promise<HttpAnswer>) => (await asked).status;

  it('makes a code for the person only', async () => {
    const { id } = await instance.fixture.create({ role: 'AGENT_ROLE_ORCHESTRATOR' });
    for (const token of [undefined, 'guessed', instance.fixture.tokenOf(id)]) {
      const { status } = await ask('/session.v1.SessionService/CreateSignInCode', {
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      });
      expect(status, String(token)).to.equal(token?.startsWith('mst_') ? 403 : 401);
    }
  });

  it('accepts a code once, and sets no cookie', async () => {
    const code = await newCode();
    const [browser, other] = [await pageBrowser(instance), await pageBrowser(instance)];
    const first = await browser.signIn(code);
    expect([first.status, first.headers['set-cookie']]).to.deep.equal([200, undefined]);
    expect(first.json).to.have.all.keys('token', 'expiresAt');
    expect(await statusOf(browser.ask(listAgents))).to.equal(200);
    for (const one of [browser, other]) {
      const again = await one.signIn(code);
      expect([again.status, again.json?.['code']]).to.deep.equal([401, 'unauthenticated']);
      expect(again.json?.['message']).to.include('muster open');
    }
  });

  it('accepts a code once out of three concurrent uses', async () => {
    const code = await newCode();
    const browsers = await Promise.all([1, 2, 3].map(() => pageBrowser(instance)));
    const statuses = await Promise.all(browsers.map(async (one) => statusOf(one.signIn(code))));
    expect(statuses.toSorted()).to.deep.equal([200, 401, 401]);
  });

  it('refuses a code that is 60 seconds old, guessed, or not text', async () => {
    const [early, late] = [await newCode(), await newCode()];
    const browser = await pageBrowser(instance);
    instance.fixture.clock.pass(59_999);
    expect(await statusOf(browser.signIn(early))).to.equal(200);
    instance.fixture.clock.pass(1);
    expect(await statusOf(browser.signIn(late))).to.equal(401);
    for (const guess of ['A'.repeat(32), '../etc', "' or 1=1 --", late.slice(0, -1)]) {
      expect(await statusOf(browser.signIn(guess)), guess).to.equal(401);
    }
    for (const odd of ['', 7, null, ['x'], { code: 'x' }, 'x'.repeat(201)]) {
      expect(await statusOf(browser.signIn(odd)), JSON.stringify(odd)).to.equal(400);
    }
    expect(await statusOf(browser.signIn('x'.repeat(5_000)))).to.equal(413);
  });

  it('accepts a session as no bearer token, in no cookie, and never without a proof', async () => {
    const browser = await signedIn();
    const { token = '' } = browser;
    const { authorization = '', dpop = '', ...page } = await browser.headers(listAgents);
    const without: Readonly<Record<string, Record<string, string>>> = {
      'its token as a bearer token': { authorization: `Bearer ${token}` },
      'its token as a bearer token of the page': { ...page, authorization: `Bearer ${token}` },
      'its token as a bearer token, with a proof': { ...page, dpop, authorization: `Bearer ${token}` },
      'its token alone': { ...page, authorization },
      'a proof alone': { ...page, dpop },
      'its token in the cookie of the release before': { ...page, cookie: `muster_${instance.port}=${token}` },
      'its token in a cookie, with a proof': { ...page, dpop, cookie: `__Host-muster_${instance.port}=${token}` },
      'an empty proof': { ...page, authorization, dpop: '' },
      'no proof at all': { ...page, authorization, dpop: 'e30.e30.e30' },
    };
    for (const path of [listAgents, '/session', '/mcp']) {
      const method = path === '/session' ? 'GET' : 'POST';
      for (const [what, headers] of Object.entries(without)) {
        expect(await statusOf(ask(path, { method, headers })), `${what} at ${path}`).to.equal(401);
      }
    }
    const { operatorToken } = instance.fixture;
    const headers = await browser.headers(listAgents, { token: operatorToken });
    expect(await statusOf(ask(listAgents, { headers })), 'a bearer token with a proof').to.equal(401);
    const ofBoth = `Bearer ${boundToken(token, await calculateThumbprint(browser.keys.publicKey))}`;
    expect(await statusOf(ask(listAgents, { headers: { authorization: encodeURI(ofBoth) } }))).to.equal(401);
    expect(await statusOf(browser.ask(listAgents)), 'the browser itself').to.equal(200);
  });

  it('accepts each proof once, for its own request, by the session’s key', async () => {
    const browser = await signedIn();
    const notNats = await pageBrowser(instance);
    await browser.ask(listAgents);
    const proven = await browser.headers(listAgents);
    expect(await statusOf(ask(listAgents, { headers: proven }))).to.equal(200);
    const again = await ask(listAgents, { headers: proven });
    expect([again.status, again.headers['www-authenticate']]).to.deep.equal([
      401,
      'DPoP error="use_dpop_nonce", algs="ES256"',
    ]);
    const other = `${browser.origin}/agent.v1.AgentService/DeleteAgent`;
    const wrong: Readonly<Record<string, ProofOf>> = {
      'another operation': { url: other },
      'another method': { method: 'GET' },
      'another port of the same name': { url: `http://muster.localhost:3000${listAgents}` },
      'another name of this machine': { url: `${instance.url}${listAgents}` },
      'another token': { token: `mss_${'A'.repeat(43)}` },
      'another key': { keys: notNats.keys },
      'no nonce': { nonce: undefined },
      'a guessed nonce': { nonce: 'A'.repeat(24) },
    };
    for (const [what, made] of Object.entries(wrong)) {
      const headers = { ...(await browser.headers(listAgents, made)), authorization: `DPoP ${browser.token}` };
      expect(await statusOf(ask(listAgents, { headers })), what).to.equal(401);
    }
    expect(await statusOf(browser.ask(listAgents))).to.equal(200);
  });

  it('caches only sessions that the registry knows, however many are made up', async () => {
    const known = new Set(['known']);
    const proven = new ProvenSessions((credential) => known.has(credential));
    proven.note('DPoP mine', 'known');
    for (let number = 0; number <= 1_000; number += 1) proven.note(`DPoP made-up-${number}`, `nobody-${number}`);
    expect(proven.find('DPoP mine')).to.equal('known');
    expect(proven.find('DPoP made-up-1000')).to.equal(undefined);
  });

  it('caches a session from its first request on, and never a refused one', async () => {
    const app = Fastify();
    const known = new Set<string>();
    const proven = new ProvenSessions((credential) => known.has(credential));
    const nonces = new ProofNonces();
    const origin = 'http://muster.localhost';
    app.addHook('onRequest', (request, reply) =>
      admitSession(request, reply, { proven, nonces, pageOriginOf: () => origin }),
    );
    // The registry takes the session of one token.
    const mine = `mss_${'A'.repeat(43)}`;
    const taken: (string | undefined)[] = [];
    app.post('/', async ({ headers }) => {
      const credential = credentialOf(headers.authorization) ?? '';
      taken.push(credential);
      if (headers['x-token'] === mine) known.add(credential);
      return {};
    });
    const ask = async (token: string) => {
      const keys = await generateKeyPair('ES256');
      const dpop = await generateProof(keys, `${origin}/`, 'POST', nonces.current, token);
      const authorization = `DPoP ${token}`;
      const headers = { origin, 'sec-fetch-site': 'same-origin', dpop, authorization, 'x-token': token };
      expect((await app.inject({ method: 'POST', url: '/', headers })).statusCode).to.equal(200);
      return authorization;
    };
    const [madeUp, own] = [await ask(`mss_${'B'.repeat(43)}`), await ask(mine)];
    expect([proven.find(madeUp), proven.find(own)]).to.deep.equal([undefined, taken[1]]);
    await app.close();
  });

  it('refuses a proof with a public key or a weak algorithm', async () => {
    const browser = await signedIn();
    await browser.ask(listAgents);
    const { dpop = '', ...headers } = await browser.headers(listAgents);
    const [head = '', payload = '', signature = ''] = dpop.split('.');
    const jwk = (JSON.parse(Buffer.from(head, 'base64url').toString()) as { jwk: object }).jwk;
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const heads = [
      { typ: 'dpop+jwt', alg: 'none', jwk },
      { typ: 'dpop+jwt', alg: 'HS256', jwk: { kty: 'oct', k: 'AAAA' } },
      { typ: 'JWT', alg: 'ES256', jwk },
      { typ: 'dpop+jwt', alg: 'ES256' },
      { typ: 'dpop+jwt', alg: 'ES256', jwk: { ...jwk, d: 'AAAA' } },
    ];
    for (const one of heads) {
      for (const sign of [signature, '']) {
        const forged = { ...headers, dpop: `${encode(one)}.${payload}.${sign}` };
        expect(await statusOf(ask(listAgents, { headers: forged })), JSON.stringify(one)).to.equal(401);
      }
    }
    const twice = { ...headers, dpop: `${dpop}, ${dpop}` };
    expect(await statusOf(ask(listAgents, { headers: twice }))).to.equal(401);
    expect(await statusOf(ask(listAgents, { headers: { ...headers, dpop } })), 'as it was made').to.equal(200);
  });

  it('binds the session to the key that was proven with the code', async () => {
    const [browser, thief] = [await pageBrowser(instance), await pageBrowser(instance)];
    const code = await newCode();
    for (const headers of [{ dpop: '' }, await thief.headers('/session', { url: `${thief.origin}/` })]) {
      expect(
        await statusOf(
          ask('/session', { headers: { ...(await browser.headers('/session')), ...headers }, body: { code } }),
        ),
      ).to.equal(401);
    }
    expect(await statusOf(browser.signIn(code)), 'the code was not used up').to.equal(200);
    thief.token = browser.token;
    expect(await statusOf(thief.ask(listAgents)), 'another browser with the token').to.equal(401);
    expect(await statusOf(browser.ask(listAgents))).to.equal(200);
  });

  it('accepts only requests of our own page, at the page’s own name', async () => {
    const browser = await signedIn();
    const { 'sec-fetch-site': _site, ...early } = await browser.headers(listAgents);
    await browser.ask(listAgents);
    const fresh = async (headers: Record<string, string | null>) => ({
      ...(await browser.headers(listAgents)),
      ...headers,
    });
    expect(await statusOf(browser.ask(listAgents))).to.equal(200);
    expect(early).to.have.property('origin');
    expect(await statusOf(ask(listAgents, { headers: await fresh({ 'sec-fetch-site': null }) }))).to.equal(200);
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect(await statusOf(ask(listAgents, { headers: await fresh({ 'sec-fetch-site': site }) })), site).to.equal(401);
    }
    const silent = await fresh({ 'sec-fetch-site': null, origin: null });
    expect(await statusOf(ask(listAgents, { headers: silent })), 'a program').to.equal(401);
    for (const origin of ['http://evil.example', 'http://muster.localhost:1', instance.url, 'null']) {
      const answer = await ask(listAgents, { headers: await fresh({ origin }) });
      expect([answer.status, answer.json?.['code']], origin).to.deep.equal([403, 'permission_denied']);
    }
    for (const host of ['evil.example', `evil.muster.localhost:${instance.port}`]) {
      expect(await statusOf(ask(listAgents, { headers: await fresh({ host }) })), host).to.equal(403);
    }
    for (const name of ['127.0.0.1', 'localhost']) {
      const elsewhere = await pageBrowser(instance, `http://${name}:${instance.port}`);
      expect(await statusOf(elsewhere.signIn(await newCode())), `signing in at ${name}`).to.equal(401);
      elsewhere.token = browser.token;
      expect(await statusOf(elsewhere.ask(listAgents)), name).to.equal(401);
    }
  });

  it('works at the end of a tunnel with any port', async () => {
    const browser = await pageBrowser(instance, 'http://muster.localhost:9000');
    expect(await statusOf(browser.signIn(await newCode()))).to.equal(200);
    expect(await statusOf(browser.ask(listAgents))).to.equal(200);
  });

  it('does nothing for another site: neither a form, nor a script without a preflight', async () => {
    const browser = await signedIn();
    const site = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
      const headers = { ...site, 'content-type': type };
      expect(await statusOf(ask('/session', { headers, body: 'code=x' })), type).to.equal(403);
      const own = { ...(await browser.headers('/session')), 'content-type': type };
      expect(await statusOf(ask('/session', { headers: own, body: `{"code":"x"}` })), type).to.be.oneOf([400, 415]);
    }
    const preflight = await ask(listAgents, {
      method: 'OPTIONS',
      headers: { ...site, 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers).not.to.have.property('access-control-allow-origin');
  });

  it('is refused at /mcp', async () => {
    const browser = await signedIn();
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const headers = { accept: 'application/json, text/event-stream' };
    expect(await statusOf(browser.ask('/mcp', { headers, body }))).to.equal(401);
    expect(await statusOf(browser.ask(listAgents))).to.equal(200);
  });

  it('ends on sign-out, after 30 days, and with the operator’s token, but not on a restart', async () => {
    const [left, stays] = [await signedIn(), await signedIn()];
    const out = await left.ask('/session', { method: 'DELETE', headers: { 'content-type': null } });
    expect(out.status).to.equal(200);
    expect(await statusOf(left.ask(listAgents))).to.equal(401);
    await instance.fixture.restart();
    expect(await statusOf(stays.ask(listAgents))).to.equal(200);
    instance.fixture.clock.pass(30 * day);
    expect(await statusOf(stays.ask(listAgents))).to.equal(401);
    const last = await signedIn();
    writeFileSync(join(instance.fixture.folder.path, 'operator.token'), 'mst_another\n');
    await instance.fixture.restart();
    expect(await statusOf(last.ask(listAgents))).to.equal(401);
    writeFileSync(join(instance.fixture.folder.path, 'operator.token'), `${instance.fixture.operatorToken}\n`);
    await instance.fixture.restart();
  });

  it('uses only the service’s own name, over TLS too', async () => {
    const pem = (name: string) => readFileSync(new URL(`../../gateway/tls/localhost.${name}.pem`, import.meta.url));
    const tls = { cert: pem('cert'), key: pem('key') };
    const options = { bus: instance.fixture.gateway, bind: '127.0.0.1', port: 0, log: instance.log } as const;
    const proxied = await startGateway({ ...options, baseUrl: 'https://muster.example' });
    const encrypted = await startGateway({ ...options, tls });
    try {
      const at = { port: Number(new URL(proxied.url).port) };
      const browser = await pageBrowser(at, 'https://muster.example');
      expect(await statusOf(browser.signIn(await newCode()))).to.equal(200);
      expect(await statusOf(browser.ask(listAgents))).to.equal(200);
      for (const origin of [`http://muster.localhost:${at.port}`, proxied.url, 'http://muster.example']) {
        const elsewhere = await pageBrowser(at, origin);
        expect(await statusOf(elsewhere.signIn(await newCode())), origin).to.be.oneOf([401, 403]);
      }
      const sealed = await pageBrowser({ port: 0 }, encrypted.url);
      const body = JSON.stringify({ code: await newCode() });
      const asked = async () => sealedCall(`${encrypted.url}/session`, await sealed.headers('/session'), body);
      sealed.nonce = (await asked()).headers['dpop-nonce']?.toString();
      expect((await asked()).statusCode).to.equal(200);
    } finally {
      await proxied.stop();
      await encrypted.stop();
    }
  });

  it('logs neither a code nor a session', async () => {
    const code = await newCode();
    const browser = await pageBrowser(instance);
    await browser.signIn(code);
    const headers = await browser.headers(listAgents);
    await ask(listAgents, { headers });
    const log = instance.log.lines.join('\n');
    for (const secret of [code, browser.token, headers['dpop']]) expect(log).not.to.include(secret);
  });
});

/** Sends one request over TLS, without checking the certificate. */
function sealedCall(url: string, headers: Record<string, string>, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const question = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, agent: false };
    const asked = request(url, { ...question, rejectUnauthorized: false }, (answer) => resolve(answer.resume()));
    asked.on('error', reject);
    asked.end(body);
  });
}
