import { createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { connectBus } from '#bus/connection.ts';
import { makeMemberKey } from '#bus/identity/bus-keys.ts';
import { serversOf } from '#bus/join/address.ts';
import { readConfig } from '#service/config.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';

/** A server that says what a nats-server says first, and keeps what it is sent. */
async function fakeServer(info: Readonly<Record<string, unknown>>) {
  let heard = '';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      for (const _ of chunk.toString('latin1').matchAll(/^PING\r$/gm)) socket.write('PONG\r\n');
    });
    const { port } = server.address() as { port: number };
    socket.write(
      `INFO ${JSON.stringify({ server_id: 'x', version: '2.11.0', proto: 1, max_payload: 9, port, ...info })}\r\n`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    heard: () => heard,
    cut: () => sockets.forEach((socket) => void socket.destroy()),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A host's credential, which must not be visible on the wire. */
const secret = {
  member: { kind: 'host', hostId: 'hst_1' },
  credential: { jwt: () => 'secret', seed: makeMemberKey().seed },
} as const;

describe('an ambiguous address of the bus', () => {
  it('leads only to the host that was checked', () => {
    expect(serversOf('nats://127.0.0.1/x://bus.example, nats://bus.example\\@127.0.0.1')).to.deep.equal([
      'nats://127.0.0.1',
      'nats://127.0.0.1',
    ]);
    expect(serversOf('tls://a:1?x,tls://u:p@b#c')).to.deep.equal(['tls://a:1', 'tls://b']);
  });
});

describe('an eavesdropper on the bus', () => {
  for (const address of [
    'nats://bus.example:4222',
    'nats://10.0.0.7:4222',
    'nats://0.0.0.0:4222',
    'nats://[::]:4222',
    'nats://[2001:db8::1]:4222',
    'nats://[::ffff:10.0.0.7]:4222',
    'nats://2130706433:4222',
    'nats://0x7f000001:4222',
    'nats://0177.0.0.1:4222',
    'nats://127.1:4222',
    'nats://127.999.0.1:4222',
    'nats://127.0.0.256:4222',
    'nats://127.0.0.01:4222',
    'nats://[::127.0.0.1]:4222',
    'nats://127.0.0.1.example:4222',
    'nats://localhost.example:4222',
    'nats://127.0.0.1@bus.example:4222',
    'nats://host:pw@bus.example:4222',
    'nats://127.0.0.1:4222,nats://bus.example:4222',
    'tls://bus.example,nats://bus-2.example',
    'NATS://bus.example',
  ]) {
    it(`gets nothing unencrypted from ${address}`, async () => {
      const { code, message } = await failureOf(() => readConfig({ MUSTER_BUS_URL: address }));
      expect(code).to.equal('invalid_argument');
      expect(message).to.include('tls://').and.not.to.include('pw@');
      const joining = await failureOf(() => connectBus({ url: address, ...secret }));
      expect(joining.code).to.equal('invalid_argument');
    });
  }

  for (const address of [
    'ws://127.0.0.1:4222',
    'wss://bus.example',
    'tcp://127.0.0.1:4222',
    'bus.example:4222',
    'nats://',
  ]) {
    it(`does not join by ${address}`, async () => {
      expect((await failureOf(() => readConfig({ MUSTER_BUS_URL: address }))).code).to.equal('invalid_argument');
    });
  }

  it('gets no password by claiming that it cannot encrypt', async () => {
    const server = await fakeServer({});
    const given = new AbortController();
    const joining = connectBus({
      url: `tls://127.0.0.1:${server.port}`,
      ...secret,
      signal: given.signal,
      log: stopAt(given),
    });
    expect((await failureOf(() => joining)).code).to.equal('canceled');
    expect(server.heard()).to.equal('');
    await server.close();
  });

  it('cannot redirect clients to servers that it names', async () => {
    const thief = await fakeServer({});
    // This one is as much a stranger as any: only its name is written as this machine's own.
    const server = await fakeServer({ connect_urls: [`127.0.0.1:${thief.port}`] });
    const bus = await connectBus({ url: `nats://127.0.0.1:${server.port}`, ...secret });
    expect(bus.connected).to.equal(true);
    server.cut();
    await moment('it has come back to the one that was named', () => server.heard().match(/CONNECT/g)?.length === 2);
    expect(thief.heard()).to.equal('');
    server.cut();
    await moment('it has come back again', () => server.heard().match(/CONNECT/g)?.length === 3);
    expect(thief.heard()).to.equal('');
    await bus.close();
    await Promise.all([server.close(), thief.close()]);
  });
});

/** A log that ends the wait with the first thing that it is reported. */
function stopAt(controller: AbortController) {
  const told = () => controller.abort();
  const log = { trace: told, debug: told, info: told, warn: told, error: told, fatal: told, child: () => log };
  return log;
}
