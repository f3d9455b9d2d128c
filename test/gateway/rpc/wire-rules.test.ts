import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { fromBinary } from '@bufbuild/protobuf';
import { expect } from 'chai';
import { operations } from '#contract/table.ts';
import { refusalWith } from '#test/support/failure.ts';
import { type GatewayFixture, gatewayFixture } from '../gateway-fixture.ts';
import {
  call,
  createAgent,
  getAgent,
  type HttpAnswer,
  type HttpQuestion,
  listAgents,
  watchAgents,
} from '../http-call.ts';
import { errorOf, openStream } from '../stream-call.ts';
import { binaryOf, framed, framesOf, schemaOf } from '../wire-bytes.ts';

const listFacts = '/fact.v1.FactService/ListFacts';

describe('the rules of the wire', () => {
  let gateway: GatewayFixture;

  before(async () => {
    gateway = await gatewayFixture({ heartbeatMs: 1_000 });
    gateway.answer('GetAgent', () => {
      throw refusalWith('not_found', 'There is no agent "x"');
    });
    // A watch that ends after its first answer.
    gateway.answer('WatchAgents', ({ cursor }) => {
      if (cursor === undefined) return { goneAgentIds: ['x'.repeat(5_000)], cursor: '7' };
      throw refusalWith('out_of_range', 'no more');
    });
  });
  after(() => gateway.close());
  beforeEach(() => {
    gateway.calls.length = 0;
  });

  const ask = (path: string, question?: HttpQuestion) => call(gateway, path, question);
  const seen = () => gateway.calls.at(-1)?.request;
  const told = ({ status, json }: HttpAnswer) => [status, json?.['code']];

  describe('a header', () => {
    for (const version of ['1', null]) {
      it(`may name Connect's version, as ${version ?? 'nothing'}`, async () => {
        expect((await ask(listAgents, { headers: { 'connect-protocol-version': version } })).status).to.equal(200);
      });
    }

    it('is refused with another version of Connect', async () => {
      const answer = await ask(listAgents, { headers: { 'connect-protocol-version': '2' } });
      expect(told(answer)).to.deep.equal([400, 'invalid_argument']);
    });

    it('is ignored if unknown', async () => {
      const headers = { 'connect-new-thing': '1', 'trace-bin': 'not base64!', 'x-agent': 'agt_1' };
      expect((await ask(listAgents, { headers })).status).to.equal(200);
    });

    it('is refused as a deadline if it is not a number of at most ten digits', async () => {
      for (const timeout of ['1.5', ' ', '+5', '0x10', '12345678901']) {
        const answer = await ask(listAgents, { headers: { 'connect-timeout-ms': timeout } });
        expect(told(answer), timeout).to.deep.equal([400, 'invalid_argument']);
      }
      expect((await ask(listAgents, { headers: { 'connect-timeout-ms': '9999999999' } })).status).to.equal(200);
    });
  });

  describe('compression', () => {
    const large = { facts: [{ kind: 'agent.gone', subjectId: 'x'.repeat(10_000) }] };
    const inflated: Record<string, (bytes: Buffer) => Buffer> = { gzip: gunzipSync, br: brotliDecompressSync };
    beforeEach(() => gateway.answer('ListFacts', () => large));

    it('is optional', async () => {
      expect((await ask(listAgents, { headers: { 'content-encoding': 'identity' } })).status).to.equal(200);
    });

    it('is unimplemented if unknown, and the supported ones are named', async () => {
      for (const encoding of ['zstd', 'deflate', 'gzip, br', 'GZIP2']) {
        const answer = await ask(listAgents, { headers: { 'content-encoding': encoding } });
        expect(told(answer), encoding).to.deep.equal([501, 'unimplemented']);
        expect(answer.json?.['message']).to.match(/gzip.*br/);
      }
    });

    for (const [accepted, used] of [
      ['gzip', 'gzip'],
      ['br', 'br'],
      ['br, gzip', 'br'],
      ['gzip,br', 'gzip'],
      ['zstd, gzip', 'gzip'],
      ['zstd', undefined],
      [null, undefined],
    ] as const) {
      it(`is ${used ?? 'not used'} if ${accepted ?? 'none'} is accepted`, async () => {
        const { headers, bytes } = await ask(listFacts, { headers: { 'accept-encoding': accepted } });
        expect(headers['content-encoding']).to.equal(used);
        const plain = used === undefined ? bytes : inflated[used]?.(bytes);
        expect(JSON.parse(String(plain))).to.deep.equal(large);
      });
    }

    it('is used for a refusal too, or not at all', async () => {
      const body = gzipSync('{"agentId":"x"}');
      const headers = { 'content-encoding': 'gzip', 'accept-encoding': 'gzip' };
      const answer = await ask(getAgent, { headers, body });
      const said = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(answer.bytes).toString() : answer.text;
      expect(JSON.parse(said)).to.include({ code: 'not_found' });
    });
  });

  describe('a GET', () => {
    const get = { method: 'GET', headers: { 'content-type': null } };
    const asked = (query: string, more: object = {}) => ask(`${listAgents}?${query}`, { ...get, ...more });
    const text = encodeURIComponent('{"archived":true}');
    const base64 = Buffer.from('{"archived":true}').toString('base64');

    for (const [what, query] of [
      ['in any order', `message=${text}&connect=v1&encoding=json`],
      ['with parameters that nobody knows', `encoding=json&message=${text}&utm=1`],
      ['in padded base64', `encoding=json&base64=1&message=${encodeURIComponent(base64)}`],
      [
        'in binary',
        `encoding=proto&base64=1&message=${Buffer.from(binaryOf('agent.v1.ListAgentsRequest', { archived: true })).toString('base64url')}`,
      ],
      [
        'compressed by br',
        `encoding=json&base64=1&compression=br&message=${brotliCompressSync('{"archived":true}').toString('base64url')}`,
      ],
    ] as const) {
      it(`carries the message ${what}`, async () => {
        const answer = await asked(query);
        expect(answer.status, answer.text).to.equal(200);
        expect(seen()).to.deep.equal({ archived: true });
      });
    }

    it('has its deadline in a header', async () => {
      const late = await asked(`encoding=json&message=${text}`, {
        headers: { 'content-type': null, 'connect-timeout-ms': 'abc' },
      });
      expect(told(late)).to.deep.equal([400, 'invalid_argument']);
      await asked(`encoding=json&message=${text}`, { headers: { 'content-type': null, 'connect-timeout-ms': '2000' } });
      expect(gateway.calls.at(-1)?.timeoutMs).to.be.within(1_000, 2_000);
    });

    it('is refused with another version, or an unknown compression', async () => {
      expect(told(await asked(`connect=v2&encoding=json&message=${text}`))).to.deep.equal([400, 'invalid_argument']);
      expect((await asked(`encoding=json&base64=1&compression=zstd&message=${base64}`)).json).to.include({
        code: 'unimplemented',
      });
    });

    it('is accepted by every read-only operation, and by no other', async () => {
      for (const row of operations.filter(({ watch }) => watch === undefined)) {
        const path = `/${row.package}.${row.service}/${row.method}?encoding=json&message=${encodeURIComponent('{}')}`;
        const { status } = await ask(path, get);
        if (row.access === 'read') expect(status, row.method).to.be.oneOf([200, 400]);
        else expect(status, row.method).to.equal(405);
      }
      expect(gateway.calls.filter(({ method }) => /^(Create|Delete|Archive)/.test(method))).to.deep.equal([]);
    });
  });

  describe('a stream', () => {
    const streamed = (body: Uint8Array, headers: Record<string, string> = {}) =>
      ask(watchAgents, { headers: { 'content-type': 'application/connect+json', ...headers }, body });
    const request = Buffer.from('{}');

    it('refuses the content type of a unary call, and vice versa', async () => {
      for (const type of ['application/json', 'application/proto', 'text/event-stream']) {
        expect((await ask(watchAgents, { headers: { 'content-type': type }, body: '{}' })).status, type).to.equal(415);
      }
      for (const type of ['application/connect+json', 'application/connect+proto']) {
        expect((await ask(listAgents, { headers: { 'content-type': type }, body: '{}' })).status, type).to.equal(415);
      }
      for (const type of ['application/grpc-web-text', 'application/grpc+xml', 'application/grpcx']) {
        expect((await ask(listAgents, { headers: { 'content-type': type }, body: '{}' })).status, type).to.equal(415);
      }
      expect((await ask(`${watchAgents}?encoding=json&message=%7B%7D`, { method: 'GET' })).status).to.equal(415);
    });

    it('has status 200 and messages in envelopes, of which the last one holds the result', async () => {
      const answer = await streamed(framed(request));
      expect([answer.status, answer.headers['content-type']]).to.deep.equal([200, 'application/connect+json']);
      const frames = framesOf(answer.bytes);
      expect(frames.map(({ flags }) => flags)).to.deep.equal([0, 0, 2]);
      expect(JSON.parse(String(frames[2]?.payload))).to.deep.equal({
        error: { code: 'out_of_range', message: 'no more' },
      });
    });

    it('supports binary too', async () => {
      const answer = await streamed(framed(Buffer.alloc(0)), { 'content-type': 'application/connect+proto' });
      expect(answer.headers['content-type']).to.equal('application/connect+proto');
      const [first] = framesOf(answer.bytes);
      expect(fromBinary(schemaOf('agent.v1.WatchAgentsResponse'), first?.payload ?? Buffer.alloc(0))).to.include({
        cursor: '7',
      });
    });

    it('compresses its messages one by one', async () => {
      const headers = { 'connect-content-encoding': 'gzip', 'connect-accept-encoding': 'gzip' };
      const answer = await streamed(framed(gzipSync('{"view":"VIEW_FULL"}'), 1), headers);
      expect(seen()).to.include({ view: 'VIEW_FULL' });
      expect(answer.headers['connect-content-encoding']).to.equal('gzip');
      const [first] = framesOf(answer.bytes);
      expect(first?.flags).to.equal(1);
      expect(JSON.parse(String(gunzipSync(first?.payload ?? Buffer.alloc(0))))).to.include({ cursor: '7' });
      await streamed(framed(request), headers);
      expect(seen(), 'a message that is not, though it may be').to.deep.equal({ cursor: '7' });
    });

    it('is refused with an unknown compression of a message, or a wrong flag', async () => {
      const ended = async (body: Buffer, headers: Record<string, string>) => {
        const stream = await openStream(gateway, watchAgents, body, headers);
        expect(stream.status).to.equal(200);
        const frame = await stream.next();
        await stream.close();
        return errorOf(frame)['code'];
      };
      expect(await ended(framed(request, 1), { 'connect-content-encoding': 'zstd' })).to.equal('unimplemented');
      expect(await ended(framed(request, 1), { 'connect-content-encoding': 'gzip' })).to.equal('invalid_argument');
      expect(await ended(framed(request, 1), {}), 'flagged, with no compression named').to.equal('invalid_argument');
      expect(await ended(framed(request), { 'connect-timeout-ms': 'abc' })).to.equal('invalid_argument');
    });
  });

  it('serve nothing at a misspelt path', async () => {
    for (const path of [`${createAgent}/`, createAgent.toLowerCase(), `/api${createAgent}`, createAgent.slice(0, -1)]) {
      expect(told(await ask(path, { body: {} })), path).to.deep.equal([404, 'unimplemented']);
    }
  });
});
