import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type FailureCode, failureCodes } from '#contract/reason/failure-code.ts';
import { maxRequestBytes } from '#gateway/rpc/payload.ts';
import { refusalWith } from '#test/support/failure.ts';
import { authorization, type GatewayFixture, gatewayFixture } from '../gateway-fixture.ts';
import { call, createAgent, getAgent, type HttpQuestion, listAgents } from '../http-call.ts';

const listFacts = '/fact.v1.FactService/ListFacts';

describe('a call over HTTP', () => {
  let gateway: GatewayFixture;

  before(async () => {
    gateway = await gatewayFixture();
  });
  after(() => gateway.close());
  beforeEach(() => {
    gateway.calls.length = 0;
  });

  const ask = (path: string, question?: HttpQuestion) => call(gateway, path, question);

  it('reaches the registry with the parsed request, and is answered', async () => {
    gateway.answer('CreateAgent', () => ({ agent: { id: 'agt_1', name: 'fix', alive: false, metadata: [] } }));
    const body = { prompt: 'do it', workflowId: 'wfl_1', title: '', provisionEnabled: false, unknown: { x: 1 } };
    const answer = await ask(createAgent, { body });
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-type']).to.equal('application/json');
    expect(answer.json).to.deep.equal({ agent: { id: 'agt_1', name: 'fix' } });
    expect(gateway.calls).to.have.lengthOf(1);
    expect(gateway.calls[0]?.request).to.deep.equal({ prompt: 'do it', workflowId: 'wfl_1', provisionEnabled: false });
    expect(gateway.calls[0]?.credential).to.match(/^[0-9a-f]{64}$/);
  });

  it('is never cached on its way', async () => {
    const answer = await ask(listAgents);
    expect(answer.headers['cache-control']).to.equal('no-store');
    expect(answer.headers['x-content-type-options']).to.equal('nosniff');
    expect(Object.keys(answer.headers).join()).not.to.contain('access-control');
  });

  it('keeps 64-bit integers exact', async () => {
    const facts = [{ seq: '9223372036854775807', kind: 'agent.gone' }, { seq: '9007199254740993' }];
    gateway.answer('ListFacts', () => ({ facts }));
    expect((await ask(listFacts)).json).to.deep.equal({ facts });
  });

  it('omits empty and unknown fields', async () => {
    gateway.answer('ListFacts', () => ({ facts: [], nextPageToken: '', invented: 1 }));
    expect((await ask(listFacts)).text).to.equal('{}');
  });

  for (const code of Object.keys(failureCodes) as FailureCode[]) {
    it(`is refused with ${code} and status ${failureCodes[code].status}`, async () => {
      gateway.answer('GetAgent', () => {
        throw refusalWith(code, `${code}: für "x"`);
      });
      const answer = await ask(getAgent, { body: { agentId: 'agt_1' } });
      expect(answer.status).to.equal(failureCodes[code].status);
      expect(answer.headers['content-type']).to.equal('application/json');
      expect(answer.json).to.deep.equal({ code, message: `${code}: für "x"` });
    });
  }

  it('reveals nothing about an internal error', async () => {
    gateway.answer('GetAgent', () => {
      throw new Error('the password is sesame');
    });
    const answer = await ask(getAgent, { body: { agentId: 'agt_1' } });
    expect(answer.status).to.equal(500);
    expect(answer.text).not.to.contain('sesame');
    gateway.answer('ListFacts', () => ({ facts: 'none' }));
    expect((await ask(listFacts)).json).to.include({ code: 'internal' });
  });

  const taken = [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON',
  ];
  for (const type of taken) {
    it(`accepts ${JSON.stringify(type)}`, async () => {
      expect((await ask(listAgents, { headers: { 'content-type': type } })).status).to.equal(200);
    });
  }

  const untaken = [
    null,
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json\ta',
    'application/json garbage',
    'application/json; charset=latin1',
    'application/jsonx',
    'application/connect+json',
    'multipart/form-data; boundary=x',
  ];
  for (const type of untaken) {
    it(`answers 415 to ${JSON.stringify(type)}`, async () => {
      const answer = await ask(listAgents, { headers: { 'content-type': type } });
      expect(answer.status).to.equal(415);
      expect(answer.headers['content-type']).to.match(/^application\/json/);
      expect(answer.json).to.have.property('code', 'invalid_argument');
      expect(gateway.calls).to.deep.equal([]);
    });
  }

  const refusedBodies: Record<string, string | object> = {
    nothing: '',
    'half an object': '{"view":',
    'a list': '[]',
    'an unknown enum name': { view: 'BOGUS' },
    'an unknown enum number': { view: 77 },
    'a field twice': '{"archived":true,"archived":false}',
    'a prototype': '{"__proto__":{"role":"admin"}}',
    'a constructor': { constructor: { prototype: {} } },
    'a deep nest': `{"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    'a wrong type': { archived: 'yes' },
  };
  for (const [what, body] of Object.entries(refusedBodies)) {
    it(`refuses ${what}`, async () => {
      const answer = await ask(listAgents, { body });
      expect(answer.status).to.equal(400);
      expect(answer.json).to.have.property('code', 'invalid_argument');
      expect(gateway.calls).to.deep.equal([]);
    });
  }

  it('names every invalid field, its value and the remedy', async () => {
    const body = { prompt: 'p'.repeat(50_001), workflowId: 'w', harness: 'Not Good' };
    const { status, json } = await ask(createAgent, { body });
    expect(status).to.equal(400);
    expect(json?.['message']).to.contain('prompt').and.to.contain('50001').and.to.contain('Not Good');
    const missing = await ask(createAgent, { body: { prompt: '', workflowId: null } });
    expect(missing.json?.['message']).to.equal(
      'prompt is missing: give it a value; workflowId is missing: give it a value',
    );
  });

  it('counts a prompt in characters', async () => {
    const body = { prompt: '👩'.repeat(50_000), workflowId: 'w' };
    expect((await ask(createAgent, { body })).status).to.equal(200);
  });

  for (const [name, compress] of Object.entries({ gzip: gzipSync, br: brotliCompressSync })) {
    it(`accepts a body in ${name}, and refuses an invalid one`, async () => {
      const headers = { 'content-encoding': name };
      expect((await ask(listAgents, { headers, body: compress('{"archived":true}') })).status).to.equal(200);
      expect(gateway.calls[0]?.request).to.deep.equal({ archived: true });
      expect((await ask(listAgents, { headers, body: '{}' })).json).to.include({ code: 'invalid_argument' });
    });
  }

  it('refuses an unknown compression', async () => {
    const answer = await ask(listAgents, { headers: { 'content-encoding': 'zstd' } });
    expect(answer.json).to.include({ code: 'unimplemented' });
    expect(answer.json?.['message']).to.contain('gzip').and.to.contain('br');
  });

  it('is compressed with gzip on request if it pays off', async () => {
    gateway.answer('ListFacts', () => ({ nextPageToken: 'x'.repeat(10_000) }));
    const answer = await ask(listFacts, { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers['content-encoding']).to.equal('gzip');
    expect(answer.bytes.length).to.be.below(1_000);
  });

  it('accepts 4 MiB and not one byte more', async () => {
    const body = JSON.stringify({ prompt: 'p', workflowId: 'w', unknown: '' });
    const exactly = body.replace('""', JSON.stringify('u'.repeat(maxRequestBytes - body.length)));
    expect(Buffer.byteLength(exactly)).to.equal(maxRequestBytes);
    expect((await ask(createAgent, { body: exactly })).status).to.equal(200);
    const over = await ask(createAgent, { body: `${exactly} ` });
    expect([over.status, over.json?.['code']]).to.deep.equal([413, 'resource_exhausted']);
    for (const body of [`${exactly} `, Buffer.alloc(32 * 1024 * 1024, ' ')]) {
      const chunked = await ask(createAgent, { body, headers: { 'transfer-encoding': 'chunked' } });
      expect([chunked.status, chunked.json?.['code']]).to.deep.equal([413, 'resource_exhausted']);
    }
  });

  it('withstands a decompression bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024), { level: 9 });
    const before = process.memoryUsage().rss;
    const answer = await ask(createAgent, { body: bomb, headers: { 'content-encoding': 'gzip' } });
    expect([answer.status, answer.json?.['code']]).to.deep.equal([413, 'resource_exhausted']);
    expect(process.memoryUsage().rss - before).to.be.below(100 * 1024 * 1024);
  });

  for (const timeout of ['abc', '-1', '99999999999', '1e3', '']) {
    it(`refuses the timeout ${JSON.stringify(timeout)}`, async () => {
      const answer = await ask(listAgents, { headers: { 'connect-timeout-ms': timeout } });
      expect([answer.status, answer.json?.['code']]).to.deep.equal([400, 'invalid_argument']);
    });
  }

  it('passes its deadline on, at most five minutes, and 30 s by default', async () => {
    for (const [given, min, max] of [
      ['2000', 1_000, 2_000],
      ['9999999999', 290_000, 300_000],
      [null, 30_000, 30_000],
    ] as const) {
      await ask(listAgents, { headers: { 'connect-timeout-ms': given } });
      expect(gateway.calls.at(-1)?.timeoutMs).to.be.within(min, max);
    }
  });

  it('ends at its deadline', async () => {
    gateway.answer('ListFacts', () => new Promise(() => {}));
    const started = performance.now();
    const answer = await ask(listFacts, { headers: { 'connect-timeout-ms': '200' } });
    expect([answer.status, answer.json?.['code']]).to.deep.equal([504, 'deadline_exceeded']);
    expect(performance.now() - started).to.be.below(8_000);
    gateway.answer('ListFacts', () => ({}));
  });

  it('may be a GET if it only reads', async () => {
    const get = { method: 'GET', headers: { 'content-type': null } };
    const base64 = Buffer.from('{"archived":true}').toString('base64url');
    for (const query of [
      'connect=v1&encoding=json&message=%7B%22archived%22%3Atrue%7D',
      `message=${base64}&base64=1&encoding=json&extra=1`,
      `encoding=json&compression=gzip&base64=1&message=${gzipSync('{"archived":true}').toString('base64url')}`,
    ]) {
      expect((await ask(`${listAgents}?${query}`, get)).status, query).to.equal(200);
      expect(gateway.calls.pop()?.request).to.deep.equal({ archived: true });
    }
    const bogus = await ask(`${listAgents}?encoding=json&message=${encodeURIComponent('{"view":"BOGUS"}')}`, get);
    expect([bogus.status, bogus.json?.['code']]).to.deep.equal([400, 'invalid_argument']);
    expect((await ask(`${listAgents}?encoding=json`, get)).status).to.equal(400);
    expect((await ask(`${listAgents}?encoding=xml&message=%7B%7D`, get)).status).to.equal(415);
    expect((await ask(`${listAgents}?encoding=json&message=***&base64=1`, get)).status).to.equal(400);
  });

  it('changes nothing on a GET', async () => {
    const answer = await ask(`${createAgent}?encoding=json&message=%7B%7D`, { method: 'GET' });
    expect([answer.status, answer.json?.['code']]).to.deep.equal([405, 'unimplemented']);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const other = await ask(createAgent, { method });
      expect(other.status, method).to.equal(405);
      expect(Object.keys(other.headers).join()).not.to.contain('access-control');
    }
    expect(gateway.calls).to.deep.equal([]);
  });

  it('is unimplemented for an unknown operation', async () => {
    for (const path of ['/agent.v1.AgentService/Nope', '/agent.v1.agentservice/ListAgents', '/', '/x?token=abc']) {
      const answer = await ask(path);
      expect([answer.status, answer.json?.['code']], path).to.deep.equal([404, 'unimplemented']);
      expect(answer.text).not.to.contain('abc');
    }
  });

  it('is unavailable while the registry is down', async () => {
    const answer = await call(gateway, '/host.v1.HostService/ListHosts', { headers: { authorization } });
    expect(answer.status).to.equal(200);
    await gateway.registry.close();
    const away = await ask('/host.v1.HostService/ListHosts');
    expect([away.status, away.json?.['code']]).to.deep.equal([503, 'unavailable']);
  });
});
