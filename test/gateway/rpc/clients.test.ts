import type { DescService, Message } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import {
  compressionGzip,
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';
import { expect } from 'chai';
import { refusalWith } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { authorization, type GatewayFixture, gatewayFixture } from '../gateway-fixture.ts';
import { type GeneratedServices, generateServices } from './generated-client.ts';

type Call = (request: object, options?: object) => Promise<Message & Record<string, unknown>>;
type Stream = (request: object, options?: object) => AsyncIterable<Message & Record<string, unknown>>;

/** The methods of a client generated at run time have no static types. */
function method<T extends Call | Stream>(transport: Transport, service: DescService | undefined, name: string): T {
  if (service === undefined) throw new Error(`no service was generated that has ${name}`);
  const client = createClient(service, transport) as unknown as Readonly<Record<string, T>>;
  const found = client[name];
  if (found === undefined) throw new Error(name);
  return found;
}

const sendToken: Interceptor = (next) => (request) => {
  if (!request.header.has('authorization')) request.header.set('authorization', authorization);
  return next(request);
};

const kinds: Record<string, (baseUrl: string) => Transport> = {
  'Connect in JSON': (baseUrl) =>
    createConnectTransport({ baseUrl, httpVersion: '1.1', useBinaryFormat: false, interceptors: [sendToken] }),
  'Connect in binary, compressed': (baseUrl) =>
    createConnectTransport({
      baseUrl,
      httpVersion: '1.1',
      sendCompression: compressionGzip,
      compressMinBytes: 0,
      interceptors: [sendToken],
    }),
  'Connect by GET': (baseUrl) =>
    createConnectTransport({ baseUrl, httpVersion: '1.1', useHttpGet: true, interceptors: [sendToken] }),
  'Connect over HTTP/2': (baseUrl) => createConnectTransport({ baseUrl, httpVersion: '2', interceptors: [sendToken] }),
  'gRPC-Web': (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: '1.1', interceptors: [sendToken] }),
  'gRPC-Web in JSON': (baseUrl) =>
    createGrpcWebTransport({ baseUrl, httpVersion: '1.1', useBinaryFormat: false, interceptors: [sendToken] }),
  gRPC: (baseUrl) => createGrpcTransport({ baseUrl, interceptors: [sendToken] }),
  'gRPC, compressed': (baseUrl) =>
    createGrpcTransport({
      baseUrl,
      sendCompression: compressionGzip,
      acceptCompression: [compressionGzip],
      compressMinBytes: 0,
      interceptors: [sendToken],
    }),
};

describe('the clients generated from the committed proto files', () => {
  let gateway: GatewayFixture;
  let folder: TemporaryFolder;
  let services: GeneratedServices;

  before(async () => {
    folder = temporaryFolder('client');
    services = await generateServices(folder.path, ['agent/v1/agent', 'fact/v1/fact']);
    gateway = await gatewayFixture();
    gateway.answer('ListAgents', () => ({
      agents: [{ agent: { id: 'agt_1', state: 'AGENT_STATE_WAITING', alive: true } }],
    }));
    gateway.answer('ListFacts', () => ({ facts: [{ seq: '9223372036854775807', kind: 'agent.gone' }] }));
    gateway.answer('GetAgent', () => {
      throw refusalWith('not_found', 'There is no agent "agt_ö"');
    });
    gateway.answer('WatchAgents', ({ cursor }) =>
      cursor === undefined || cursor === '' ? { agents: [{ agent: { id: 'agt_1' } }], cursor: '7' } : { cursor: '7' },
    );
  });
  after(async () => {
    folder.remove();
    await gateway.close();
  });
  beforeEach(() => {
    gateway.calls.length = 0;
  });

  /** The call of a list. A watch of a test before may still be asking. */
  const listing = () => gateway.calls.find(({ method }) => method === 'ListAgents');

  for (const [name, transport] of Object.entries(kinds)) {
    describe(name, () => {
      const agentCall = (called: string) => method<Call>(transport(gateway.url), services['AgentService'], called);

      it('make calls', async () => {
        const answer = await agentCall('listAgents')({ view: 2, pagination: { pageSize: 5 } });
        expect(answer).to.have.nested.property('agents[0].agent.id', 'agt_1');
        expect(answer).to.have.nested.property('agents[0].agent.state', 3);
        expect(listing()?.request).to.deep.equal({ view: 'VIEW_FULL', pagination: { pageSize: 5 } });
      });

      it('keep 64-bit integers exact', async () => {
        const answer = await method<Call>(transport(gateway.url), services['FactService'], 'listFacts')({});
        expect(answer).to.have.nested.property('facts[0].seq', 9223372036854775807n);
      });

      it('return a refusal with its code and message', async () => {
        const error = await errorOf(agentCall('getAgent')({ agentId: 'agt_ö' }));
        expect([error.code, error.rawMessage]).to.deep.equal([Code.NotFound, 'There is no agent "agt_ö"']);
        const wrong = await errorOf(agentCall('createAgent')({ prompt: '' }));
        expect(wrong.code).to.equal(Code.InvalidArgument);
        expect(wrong.rawMessage).to.contain('prompt is missing');
      });

      it('return the refusal of an unknown caller', async () => {
        const error = await errorOf(agentCall('listAgents')({}, { headers: { authorization: 'Bearer null' } }));
        expect(error.code).to.equal(Code.Unauthenticated);
      });

      it('pass their deadline on', async () => {
        await agentCall('listAgents')({}, { timeoutMs: 5_000 });
        expect(listing()?.timeoutMs).to.be.within(3_000, 5_000);
      });

      it('follow a watch', async () => {
        const ending = new AbortController();
        const messages = method<Stream>(
          transport(gateway.url),
          services['AgentService'],
          'watchAgents',
        )({}, { signal: ending.signal });
        const seen: unknown[] = [];
        try {
          for await (const message of messages) {
            seen.push([(message['agents'] as unknown[]).length, message['cursor']]);
            if (seen.length === 2) ending.abort();
          }
        } catch (error) {
          expect(ConnectError.from(error).code).to.equal(Code.Canceled);
        }
        expect(seen).to.deep.equal([
          [1, '7'],
          [0, '7'],
        ]);
      });
    });
  }
});

async function errorOf(work: Promise<unknown>): Promise<ConnectError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ConnectError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}
