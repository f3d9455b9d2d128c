import { expect } from 'chai';
import { clientOf } from '#cli/client/client.ts';
import { frameOf, framesOf, watch as streamOf } from '#cli/client/stream.ts';
import { failureOf, refusalWith } from '#test/support/failure.ts';
import { type FakeService, fakeService } from '../fake-service.ts';

async function framesIn(chunks: readonly Uint8Array[]): Promise<unknown[]> {
  const frames = [];
  for await (const frame of framesOf(chunks)) frames.push(frame);
  return frames;
}

describe('frames of a stream', () => {
  const sent = Buffer.concat([frameOf('{"a":"ä€😀"}'), frameOf(''), frameOf('{}', 2)]);
  const read = [
    { flags: 0, payload: '{"a":"ä€😀"}' },
    { flags: 0, payload: '' },
    { flags: 2, payload: '{}' },
  ];

  it('are read the same, wherever the network splits them', async () => {
    for (let cut = 0; cut <= sent.length; cut++) {
      expect(await framesIn([sent.subarray(0, cut), sent.subarray(cut)])).to.deep.equal(read);
    }
    expect(await framesIn([...sent].map((byte) => Buffer.of(byte)))).to.deep.equal(read);
  });

  it('are dropped if torn, and refused if too long', async () => {
    expect(await framesIn([sent.subarray(0, sent.length - 1)])).to.deep.equal(read.slice(0, 2));
    const long = Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 0]);
    expect((await failureOf(() => framesIn([long]))).code).to.equal('data_loss');
  });
});

describe('a watch', () => {
  let service: FakeService;
  const watch = (signal?: AbortSignal) =>
    clientOf({ baseUrl: service.url, token: 't' }).watch('fact.v1.FactService/WatchFacts', {}, signal);
  const collect = async (signal?: AbortSignal): Promise<unknown[]> => {
    const responses = [];
    for await (const response of watch(signal)) responses.push(response);
    return responses;
  };
  const start = async (...given: Parameters<typeof fakeService>): Promise<void> => {
    service = await fakeService(...given);
  };
  afterEach(() => service.close());

  it('ends with the service, and with its failure', async () => {
    await start();
    service.onWatch('fact.v1.FactService/WatchFacts', async function* () {
      yield { cursor: '1' };
    });
    expect(await collect()).to.deep.equal([{ cursor: '1' }]);
    service.onWatch('fact.v1.FactService/WatchFacts', async function* () {
      yield { cursor: '1' };
      throw refusalWith('permission_denied', 'not yours');
    });
    expect(await failureOf(collect)).to.deep.include({ code: 'permission_denied', message: 'not yours' });
  });

  it('fails as unavailable if the connection breaks', async () => {
    for (const cut of [frameOf('{"cursor":"1"}'), frameOf('{"cursor":"1"}').subarray(0, 8)]) {
      await start((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/connect+json' });
        response.write(cut, () => response.destroy());
        return true;
      });
      expect((await failureOf(collect)).code).to.equal('unavailable');
      await service.close();
    }
    await start((_request, response) => Boolean(response.writeHead(200).end(frameOf('{}'))));
    expect((await failureOf(collect)).message).to.match(/broke off/);
  });

  it('fails as unavailable if it falls silent', async () => {
    await start();
    service.onWatch('fact.v1.FactService/WatchFacts', async function* () {
      yield { cursor: '1' };
      await new Promise(() => {});
    });
    const connection = { baseUrl: service.url, token: 't' };
    const responses: unknown[] = [];
    const { code, message } = await failureOf(async () => {
      const silent = streamOf(connection, 'fact.v1.FactService/WatchFacts', {}, undefined, 300);
      for await (const response of silent) responses.push(response);
    });
    expect({ code, responses }).to.deep.equal({ code: 'unavailable', responses: [{ cursor: '1' }] });
    expect(message).to.equal(`muster at ${service.url} has sent nothing for 0.3 s`);
  });

  it('ends quietly once its signal is aborted', async () => {
    const stop = new AbortController();
    await start();
    service.onWatch('fact.v1.FactService/WatchFacts', async function* () {
      yield { cursor: '1' };
      await new Promise(() => {});
    });
    const responses = [];
    for await (const response of watch(stop.signal)) {
      responses.push(response);
      stop.abort();
    }
    expect(responses).to.deep.equal([{ cursor: '1' }]);
  });
});
