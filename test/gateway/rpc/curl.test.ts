import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { refusalWith } from '#test/support/failure.ts';
import { authorization, type GatewayFixture, gatewayFixture } from '../gateway-fixture.ts';
import { getAgent, listAgents } from '../http-call.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');
const listFacts = '/fact.v1.FactService/ListFacts';
const facts = [{ seq: '9223372036854775807', kind: 'agent.gone' }];

describe('a call by a third-party client', () => {
  let gateway: GatewayFixture;

  before(async () => {
    gateway = await gatewayFixture({ heartbeatMs: 1_000 });
    gateway.answer('ListFacts', () => ({ facts }));
    gateway.answer('GetAgent', () => {
      throw refusalWith('not_found', 'There is no agent "agt_ö"');
    });
    gateway.answer('WatchAgents', ({ cursor }) => {
      if (cursor === undefined) return { agents: [{ agent: { id: 'agt_1' } }], cursor: '7' };
      throw refusalWith('failed_precondition', 'no more of it');
    });
  });
  after(() => gateway.close());
  beforeEach(() => {
    gateway.calls.length = 0;
  });

  describe('buf curl, which is Go’s implementation', () => {
    const bufCurl = (schema: string, protocol: string, path: string, data: object) =>
      run(join(root, 'node_modules', '.bin', 'buf'), [
        'curl',
        '--schema',
        join(root, 'proto', schema),
        '--protocol',
        protocol,
        ...(protocol === 'grpc' ? ['--http2-prior-knowledge'] : []),
        '--header',
        `authorization: ${authorization}`,
        '--data',
        JSON.stringify(data),
        `${gateway.url}${path}`,
      ]);
    const refusalOf = (call: Promise<unknown>) =>
      call.then(
        () => ({ stderr: 'it was not refused', stdout: '' }),
        (error: { stderr: string; stdout: string }) => error,
      );

    for (const protocol of ['connect', 'grpcweb', 'grpc']) {
      for (const schema of ['', 'image.json']) {
        it(`is answered and refused over ${protocol}, with ${schema || 'the proto files'} as its schema`, async () => {
          const { stdout } = await bufCurl(schema, protocol, listFacts, { pageSize: 3 });
          expect(JSON.parse(stdout)).to.deep.equal({ facts });
          expect(gateway.calls[0]?.request).to.deep.equal({ pageSize: 3 });
          const { stderr } = await refusalOf(bufCurl(schema, protocol, getAgent, { agentId: 'agt_ö' }));
          expect(stderr).to.contain('not_found').and.to.contain('agt_ö');
        });
      }

      it(`follows a watch to its end over ${protocol}`, async () => {
        const call = bufCurl('', protocol, '/agent.v1.AgentService/WatchAgents', {});
        const { stdout, stderr } = await refusalOf(call);
        expect(stdout.replaceAll(/\s/g, '')).to.equal(
          '{"agents":[{"agent":{"id":"agt_1"}}],"cursor":"7"}{"cursor":"7"}',
        );
        expect(stderr).to.contain('failed_precondition').and.to.contain('no more of it');
      });
    }
  });

  describe('plain curl', () => {
    /** What curl prints: the body, and after it the status, the content type and the version of HTTP. */
    const curl = async (path: string, ...args: readonly string[]) => {
      const { stdout } = await run('curl', [
        '-sS',
        '-w',
        '\\n%{http_code} %{content_type} %{http_version}',
        ...args,
        `${gateway.url}${path}`,
      ]);
      const [body = '', about = ''] = stdout.split('\n');
      return { body, about };
    };
    const token = ['-H', `Authorization: ${authorization}`];
    const json = [...token, '-H', 'Content-Type: application/json'];

    it('is answered in JSON', async () => {
      const { body, about } = await curl(listFacts, ...json, '-d', '{"pageSize":3}');
      expect(JSON.parse(body)).to.deep.equal({ facts });
      expect(about).to.equal('200 application/json 1.1');
      expect(gateway.calls[0]?.request).to.deep.equal({ pageSize: 3 });
    });

    it('is answered over HTTP/2 on the same port', async () => {
      const { body, about } = await curl(listFacts, '--http2-prior-knowledge', ...json, '-d', '{}');
      expect(JSON.parse(body)).to.deep.equal({ facts });
      expect(about).to.equal('200 application/json 2');
    });

    it('may call read-only operations with GET', async () => {
      const query = ['-G', '--data-urlencode', 'message={"pageSize":3}', '-d', 'encoding=json', '-d', 'connect=v1'];
      expect(JSON.parse((await curl(listFacts, ...token, ...query)).body)).to.deep.equal({ facts });
      expect(gateway.calls[0]?.request).to.deep.equal({ pageSize: 3 });
    });

    it('accepts a compressed answer', async () => {
      const { body } = await curl(listFacts, '--compressed', ...json, '-d', '{}');
      expect(JSON.parse(body)).to.deep.equal({ facts });
    });

    it('gets the error', async () => {
      const missing = await curl(getAgent, ...json, '-d', '{"agentId":"agt_ö"}');
      expect(JSON.parse(missing.body)).to.deep.equal({ code: 'not_found', message: 'There is no agent "agt_ö"' });
      expect(missing.about).to.equal('404 application/json 1.1');
      const untyped = await curl(listAgents, ...token, '-d', '{}');
      expect(JSON.parse(untyped.body)).to.include({ code: 'invalid_argument' });
      expect(untyped.about).to.match(/^415 application\/json/);
      const nobody = await curl(listAgents, '-H', 'Content-Type: application/json', '-d', '{}');
      expect(JSON.parse(nobody.body)).to.include({ code: 'unauthenticated' });
      expect(nobody.about).to.match(/^401 application\/json/);
    });
  });
});
