import { fromBinary } from '@bufbuild/protobuf';
import { expect } from 'chai';
import { refusalWith } from '#test/support/failure.ts';
import { type GatewayFixture, gatewayFixture } from '../gateway-fixture.ts';
import { call, getAgent, type HttpAnswer, type HttpQuestion, listAgents } from '../http-call.ts';
import { binaryOf, schemaOf } from '../wire-bytes.ts';

const listFacts = '/fact.v1.FactService/ListFacts';
const reportReason = '/agent.v1.AgentService/ReportReason';
const binary = { 'content-type': 'application/proto' };

describe('the rules of a message on the wire', () => {
  let gateway: GatewayFixture;

  before(async () => {
    gateway = await gatewayFixture();
    gateway.answer('GetAgent', () => {
      throw refusalWith('not_found', 'There is no agent "x"');
    });
  });
  after(() => gateway.close());
  beforeEach(() => {
    gateway.calls.length = 0;
  });

  const ask = (path: string, question?: HttpQuestion) => call(gateway, path, question);
  const seen = () => gateway.calls.at(-1)?.request;
  const told = ({ status, json }: HttpAnswer) => [status, json?.['code']];

  describe('a message in JSON', () => {
    const taken: readonly [what: string, path: string, body: string, read: object][] = [
      ['names in camelCase', listAgents, '{"pagination":{"pageSize":3}}', { pagination: { pageSize: 3 } }],
      ['names in snake_case', listAgents, '{"pagination":{"page_size":3}}', { pagination: { pageSize: 3 } }],
      [
        'unknown fields',
        listAgents,
        '{"nope":1,"pagination":{"nope":[{}],"pageSize":3}}',
        { pagination: { pageSize: 3 } },
      ],
      ['null for absent', listAgents, '{"view":null,"archived":null,"pagination":null}', {}],
      [
        'what is empty for absent',
        listAgents,
        '{"view":"VIEW_UNSPECIFIED","archived":false,"pagination":{}}',
        { pagination: {} },
      ],
      ['a zero for absent', listFacts, '{"pageSize":0,"cursor":"","subjectId":""}', {}],
      ['the name of a value', listAgents, '{"view":"VIEW_FULL"}', { view: 'VIEW_FULL' }],
      ['the number of a value', listAgents, '{"view":2}', { view: 'VIEW_FULL' }],
      ['a 32-bit integer in a string', listFacts, '{"pageSize":"7"}', { pageSize: 7 }],
      ['a 32-bit integer with a point', listFacts, '{"pageSize":7.0}', { pageSize: 7 }],
      [
        'a time with an offset',
        reportReason,
        '{"reportedAt":"2026-11-21T10:00:00.5+01:00"}',
        { reportedAt: '2026-11-21T09:00:00.500Z' },
      ],
      [
        'a time with nanoseconds',
        reportReason,
        '{"reportedAt":"2026-11-21T09:00:00.123456789Z"}',
        { reportedAt: '2026-11-21T09:00:00.123456789Z' },
      ],
      ['characters that JSON escapes', listFacts, '{"\\u0073ubjectId":"\\ud83d\\udc69"}', { subjectId: '👩' }],
      ['blanks around it', listFacts, ' \n{ "pageSize" : 7 }\t', { pageSize: 7 }],
    ];
    for (const [what, path, body, read] of taken) {
      it(`accepts ${what}`, async () => {
        const answer = await ask(path, { body });
        expect(answer.status, answer.text).to.equal(200);
        expect(seen()).to.deep.equal(read);
      });
    }

    const refused: readonly [what: string, path: string, body: string | Uint8Array, said: RegExp][] = [
      ['the name of no value', listAgents, '{"view":"view_full"}', /view.*VIEW_FULL.*view_full/],
      ['the number of no value', listAgents, '{"view":77}', /view.*77/],
      ['a 32-bit integer in words', listFacts, '{"pageSize":"abc"}', /pageSize.*abc/],
      ['a 32-bit integer with a fraction', listFacts, '{"pageSize":1.5}', /pageSize.*1\.5/],
      ['a 32-bit integer that is too large', listFacts, '{"pageSize":2147483648}', /pageSize.*2147483648/],
      ['a text that is a number', listFacts, '{"cursor":7}', /cursor.*string.*7/],
      ['a time without a zone', reportReason, '{"reportedAt":"2026-11-21T10:00:00"}', /reportedAt/],
      ['a message that is a list', listAgents, '{"pagination":[]}', /pagination/],
      ['a list', listAgents, '[]', /ListAgentsRequest|object/],
      [
        'a name twice, once in snake_case',
        listAgents,
        '{"pagination":{"pageSize":1,"page_size":2}}',
        /pageSize.*page_size/,
      ],
      ['two objects', listAgents, '{}{}', /not JSON/],
      ['a byte-order mark that is not UTF-8', listAgents, Buffer.from([0xff, 0xfe, 0x7b, 0x7d]), /UTF-8/],
      ['half a character', listFacts, Buffer.from('{"cursor":"\xe4"}', 'latin1'), /UTF-8/],
      ['NaN', listFacts, '{"pageSize":NaN}', /not JSON/],
    ];
    for (const [what, path, body, said] of refused) {
      it(`refuses ${what}`, async () => {
        const answer = await ask(path, { body });
        expect(told(answer)).to.deep.equal([400, 'invalid_argument']);
        expect(answer.json?.['message']).to.match(said);
        expect(gateway.calls).to.deep.equal([]);
      });
    }

    it('omits empty fields from the answer, and returns every 64-bit number as a string', async () => {
      gateway.answer('ListFacts', () => ({
        facts: [{ seq: '0', kind: '' }, { seq: '9007199254740993' }],
        nextPageToken: '',
      }));
      expect((await ask(listFacts)).text).to.equal('{"facts":[{},{"seq":"9007199254740993"}]}');
    });
  });

  describe('a message in binary', () => {
    it('is answered in binary', async () => {
      gateway.answer('ListAgents', () => ({ nextPageToken: 'more' }));
      const answer = await ask(listAgents, {
        headers: binary,
        body: binaryOf('agent.v1.ListAgentsRequest', { archived: true, view: 2 }),
      });
      expect([answer.status, answer.headers['content-type']]).to.deep.equal([200, 'application/proto']);
      const response = fromBinary(schemaOf('agent.v1.ListAgentsResponse'), answer.bytes);
      expect(response).to.include({ nextPageToken: 'more' });
      expect(seen()).to.deep.equal({ archived: true, view: 'VIEW_FULL' });
      gateway.answer('ListAgents', () => ({}));
    });

    it('is refused in JSON', async () => {
      const body = binaryOf('agent.v1.GetAgentRequest', { agentId: 'x' });
      const answer = await ask(getAgent, { headers: binary, body });
      expect(told(answer)).to.deep.equal([404, 'not_found']);
      expect(answer.headers['content-type']).to.equal('application/json');
    });

    it('is empty without a byte, also compressed, and refused if truncated', async () => {
      expect((await ask(listAgents, { headers: binary, body: '' })).status).to.equal(200);
      expect((await ask(listAgents, { headers: { ...binary, 'content-encoding': 'gzip' }, body: '' })).status).to.equal(
        200,
      );
      expect(told(await ask(listAgents, { headers: binary, body: Buffer.from([0x0a, 0x7f]) }))).to.deep.equal([
        400,
        'invalid_argument',
      ]);
    });

    it('drops unknown fields and refuses unknown values, as in JSON', async () => {
      const unknown = Buffer.concat([
        binaryOf('agent.v1.ListAgentsRequest', { archived: true }),
        Buffer.from([0xf8, 0x06, 0x01]),
      ]);
      expect((await ask(listAgents, { headers: binary, body: unknown })).status).to.equal(200);
      expect(seen()).to.deep.equal({ archived: true });
      expect(
        told(await ask(listAgents, { headers: binary, body: binaryOf('agent.v1.ListAgentsRequest', { view: 77 }) })),
      ).to.deep.equal([400, 'invalid_argument']);
    });
  });
});
