import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { type GatewayFixture, gatewayFixture } from '#test/gateway/gateway-fixture.ts';
import { call, listAgents, watchAgents } from '#test/gateway/http-call.ts';
import { connectOverHttp } from '#test/gateway/mcp-client.ts';
import { errorOf, type Frame, openStream, type StreamCall } from '#test/gateway/stream-call.ts';
import { moment } from '#test/support/moment.ts';

const crowd = 1_000;
const streamsPerToken = 64;

describe('an attack with a crowd', () => {
  let gateway: GatewayFixture;
  beforeEach(async () => {
    gateway = await gatewayFixture();
    gateway.answer('GetAgent', () => ({ agent: { agent: { id: 'agt_1' } } }));
    gateway.answer('WatchAgents', () => ({ cursor: '1' }));
  });
  afterEach(() => gateway.close());

  /**
   * How much processor time a call takes of this process, in which both ends are, in milliseconds: what others do on
   * the machine lengthens a call and not this.
   */
  async function cost(): Promise<number> {
    const calls = 100;
    const since = process.cpuUsage();
    for (let count = 0; count < calls; count += 1) expect((await call(gateway, listAgents)).status).to.equal(200);
    const { user, system } = process.cpuUsage(since);
    return (user + system) / 1_000 / calls;
  }

  /** Measures calls before there is a crowd, and while it is there once it has come. */
  async function slowsNobody(crowded: () => Promise<void>): Promise<void> {
    await cost();
    const alone = await cost();
    await crowded();
    await moment(`calls to take less than twice ${alone} ms`, async () => (await cost()) < 2 * alone);
  }

  it('of 1,000 connections without requests slows no caller, and is closed even if it keeps sending', async () => {
    const openings = ['', 'P', 'POST / HT', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: '];
    const sockets: Socket[] = [];
    await slowsNobody(async () => {
      const opening = Array.from({ length: crowd }, (_, count) =>
        slowConnection(openings[count % openings.length] ?? ''),
      );
      sockets.push(...(await Promise.all(opening)));
    });
    // A header line now and then does not keep them: the time is for all of it.
    const drip = setInterval(() => {
      for (const socket of sockets) if (!socket.destroyed && socket.bytesWritten > 20) socket.write('x');
    }, 1_000);
    try {
      await moment('all of them to be sent away', () => sockets.every(({ destroyed }) => destroyed));
    } finally {
      clearInterval(drip);
    }
  });

  it('of 1,000 streams of one token is limited to 64, and slows no caller', async () => {
    const streams: StreamCall[] = [];
    const first: (Frame | undefined)[] = [];
    await slowsNobody(async () => {
      streams.push(...(await Promise.all(Array.from({ length: crowd }, () => openStream(gateway, watchAgents, {})))));
      first.push(...(await Promise.all(streams.map((stream) => stream.next()))));
    });
    expect(first.filter((frame) => frame?.end === false)).to.have.length(streamsPerToken);
    const refused = first.filter((frame) => errorOf(frame)?.['code'] === 'resource_exhausted');
    expect(refused).to.have.length(crowd - streamsPerToken);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  it('of 200 subscriptions of one token is limited to 64, and slows no caller', async () => {
    const client = await connectOverHttp(gateway.url, '2026-07-28');
    const outcomes: PromiseSettledResult<unknown>[] = [];
    await slowsNobody(async () => {
      const listen = () => client.listen({ resourceSubscriptions: ['muster://agents/agt_1'] });
      outcomes.push(...(await Promise.allSettled(Array.from({ length: 200 }, listen))));
    });
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(streamsPerToken);
    const [refused] = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(String(refused?.reason)).to.match(/64/);
    await client.close();
  });

  function slowConnection(opening: string): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(gateway.port, '127.0.0.1', () => {
        socket.write(opening);
        resolve(socket);
      });
      socket.on('error', reject);
      socket.resume();
    });
  }
});
