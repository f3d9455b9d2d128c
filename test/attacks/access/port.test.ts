import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { addressesOf } from '#contract/access/loopback.ts';
import { type Gateway, startGateway } from '#gateway/gateway.ts';
import { readConfig } from '#service/config.ts';
import { checkPort } from '#service/installation-checks.ts';
import { logProbe } from '#test/bus/log-probe.ts';
import { type GatewayFixture, gatewayFixture } from '#test/gateway/gateway-fixture.ts';
import { failureOf } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { findPort } from '#world/net/tcp-port.ts';

/** What listens at an address, as another user's program would. */
function listening(host: string, port = 0): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen({ host, port }, () => resolve(server));
  });
}

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};
const urlAt = (address: string, port: number) => `http://${address.includes(':') ? `[${address}]` : address}:${port}/`;

describe('muster’s port', () => {
  let fixture: GatewayFixture;
  let started: Gateway[] = [];
  const thieves: Server[] = [];
  before(async function () {
    const all = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
    // Without IPv6 there is no other address.
    if (!all.some(({ address }) => address === '::1')) this.skip();
    fixture = await gatewayFixture();
  });
  after(() => fixture?.close());
  afterEach(async () => {
    await Promise.all(started.map((one) => one.stop()));
    started = [];
    for (const thief of thieves.splice(0)) thief.close();
  });

  const start = async (bind: string, port = 0): Promise<number> => {
    const bus = await fixture.nats.join('gateway');
    const gateway = await startGateway({ bus, bind, port, log: logProbe() });
    started.push(gateway);
    return Number(new URL(gateway.url).port);
  };
  const steal = async (address: string): Promise<number> => {
    const thief = await listening(address);
    thieves.push(thief);
    return portOf(thief);
  };

  for (const bind of ['127.0.0.1', 'localhost', '::1', '127.1.2.3']) {
    it(`is muster’s at every address of the page’s name, if it binds ${bind}`, async () => {
      const port = await start(bind);
      for (const address of new Set(['127.0.0.1', '::1', ...addressesOf(bind)])) {
        const answer = await fetch(urlAt(address, port), { headers: { connection: 'close' } });
        expect([answer.status, await answer.text()], address).to.satisfy(
          ([status, text]: [number, string]) => status === 200 && text.includes('muster'),
        );
        const refused = await failureOf(() => start(address, port)).catch(() => undefined);
        expect(refused?.code, `${address} is taken`).to.equal('failed_precondition');
      }
    });
  }

  for (const [bind, other] of [
    ['127.0.0.1', '::1'],
    ['localhost', '::1'],
    ['::1', '127.0.0.1'],
    ['127.1.2.3', '::1'],
    ['127.0.0.1', '::'],
    ['::1', '0.0.0.0'],
  ] as const) {
    it(`is nobody where ${bind} is to be bound and another program has ${other}: muster does not start`, async () => {
      const port = await steal(other);
      const { code, message } = await failureOf(() => start(bind, port));
      expect(code).to.equal('failed_precondition');
      expect(message).to.include(`Port ${port} on `).and.to.include('MUSTER_PORT');
      // A wildcard of IPv6 may hold both families.
      if (other === '::') return;
      expect(await findPort([addressesOf(bind)[0]], port), 'and holds nothing of it').to.deep.equal({ port });
    });
  }

  it('is open only at the reported address if other machines may join', () => {
    expect(addressesOf('0.0.0.0')).to.deep.equal(['0.0.0.0']);
    expect(addressesOf('::')).to.deep.equal(['::']);
    expect(addressesOf('10.0.0.7')).to.deep.equal(['10.0.0.7']);
    expect(addressesOf('127.0.0.1')).to.deep.equal(['127.0.0.1', '::1']);
    expect(addressesOf('0:0:0:0:0:0:0:1')).to.deep.equal(['::1', '127.0.0.1']);
  });

  it('is reported by the doctor, with the address and the remedy', async () => {
    const home: TemporaryFolder = temporaryFolder('port');
    try {
      const port = await steal('::1');
      const check = () => checkPort(readConfig({ MUSTER_HOME: home.path, MUSTER_PORT: String(port) }));
      expect(await check()).to.deep.include({
        outcome: 'fail',
        found: `${port} on ::1 is in use by another program`,
      });
      expect((await check()).mend).to.include('MUSTER_PORT');
      await new Promise((resolve) => thieves.pop()?.close(resolve));
      expect(await check()).to.deep.include({ outcome: 'ok', found: `${port} is free on 127.0.0.1 and ::1` });
    } finally {
      home.remove();
    }
  });
});
