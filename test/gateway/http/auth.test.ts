import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { credentialOf } from '#gateway/rpc/credential.ts';
import { authorization, type GatewayFixture, gatewayFixture, token } from '../gateway-fixture.ts';
import { call, createAgent, type HttpQuestion, listAgents, watchAgents } from '../http-call.ts';
import { errorOf, openStream } from '../stream-call.ts';

describe('authentication at the gateway', () => {
  let gateway: GatewayFixture;

  beforeEach(async () => {
    gateway = await gatewayFixture();
  });
  afterEach(() => gateway.close());

  const ask = (question: HttpQuestion, path = listAgents) => call(gateway, path, question);

  it('passes on only the SHA-256 of a token', async () => {
    expect((await ask({})).status).to.equal(200);
    const credential = createHash('sha256').update(token).digest('hex');
    expect((await ask({})).status).to.equal(200);
    expect(gateway.calls.map((call) => call.credential)).to.deep.equal([credential, credential]);
    expect(gateway.checks, 'who calls is asked once, and remembered for a while').to.deep.equal([credential]);
  });

  const malformed = [
    null,
    '',
    'Bearer',
    'Bearer ',
    'Bearer a b',
    `Basic ${Buffer.from('a:b').toString('base64')}`,
    token,
    `Bearer ${'x'.repeat(513)}`,
    'Bearer ä',
  ];
  for (const value of malformed) {
    it(`refuses ${JSON.stringify(value?.slice(0, 30) ?? null)}`, async () => {
      for (const body of ['{}', '{"view":', JSON.stringify({ view: 'BOGUS' })]) {
        const answer = await ask({ headers: { authorization: value }, body });
        expect([answer.status, answer.json?.['code']]).to.deep.equal([401, 'unauthenticated']);
      }
      const untyped = await ask({ headers: { authorization: value, 'content-type': 'text/plain' } });
      expect([untyped.status, untyped.json?.['code']]).to.deep.equal([401, 'unauthenticated']);
      expect(gateway.asked()).to.equal(0);
    });
  }

  it('refuses a token in the address', async () => {
    const answer = await ask({ headers: { authorization: null } }, `${listAgents}?access_token=${token}`);
    expect(answer.status).to.equal(401);
  });

  it('reports a bad request only with a valid token', async () => {
    const notNats = 'Bearer null';
    const requests: HttpQuestion[] = [
      { body: '{"view":' },
      { body: { view: 'BOGUS' } },
      { headers: { 'connect-timeout-ms': 'abc' } },
      { headers: { 'content-encoding': 'gzip' } },
      { body: 'x'.repeat(5 * 1024 * 1024) },
    ];
    for (const { headers = {}, body = '{}' } of requests) {
      const known = await ask({ headers, body });
      expect(known.status).to.be.oneOf([400, 413]);
      const unknown = await ask({ headers: { ...headers, authorization: notNats }, body });
      expect([unknown.status, unknown.json?.['code']]).to.deep.equal([401, 'unauthenticated']);
    }
    expect((await ask({ headers: { authorization: notNats }, body: {} }, createAgent)).status).to.equal(401);
    expect(gateway.calls).to.deep.equal([]);
  });

  it('refuses a token as soon as it is revoked', async () => {
    gateway.revoke();
    expect((await ask({})).status).to.equal(401);
    const get = { method: 'GET', headers: { 'content-type': null } };
    expect((await ask(get, `${listAgents}?encoding=json&message=%7B%7D`)).status).to.equal(401);
  });

  it('refuses a watch in the protocol’s form', async () => {
    for (const value of [null, 'Bearer null']) {
      const stream = await openStream(gateway, watchAgents, {}, { authorization: value });
      expect(stream.status).to.equal(200);
      expect(errorOf(await stream.next())).to.include({ code: 'unauthenticated' });
      await stream.close();
    }
  });

  it('logs no token', async () => {
    await ask({});
    await ask({ headers: { authorization: `${authorization}x` } });
    await ask({}, `${listAgents}?access_token=${token}`);
    await ask({}, `/nowhere?access_token=${token}`);
    gateway.answer('ListAgents', () => {
      throw new Error('a fault');
    });
    await ask({});
    expect(gateway.log.lines.length).to.be.above(4);
    expect(gateway.log.lines.join('\n')).not.to.contain(token);
  });
});

describe('a bearer token', () => {
  it('is accepted with its scheme in any case', () => {
    const digest = createHash('sha256').update('abc.DEF-1~2+3/4==').digest('hex');
    expect(credentialOf('bearer abc.DEF-1~2+3/4==')).to.equal(digest);
    expect(credentialOf('Bearer   abc.DEF-1~2+3/4==')).to.equal(digest);
    expect(credentialOf(undefined)).to.equal(undefined);
  });
});
