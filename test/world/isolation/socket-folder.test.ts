import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { SocketFolder } from '#world/isolation/socket-folder.ts';

describe('the sockets of an isolated agent', () => {
  it('are of limited number, so that no agent takes all files of its host', async () => {
    const folder = temporaryFolder('sockets');
    const sockets = await SocketFolder.open(join(folder.path, 'net'));
    const server = createServer((client) => client.on('error', () => {}));
    await sockets.listen('proxy', () => ({ server, close: async () => void server.close() }));
    const clients: Socket[] = [];
    let refused = 0;
    for (let count = 0; count < 300; count += 1) {
      const client = connect(join(sockets.path, 'proxy')).on('error', () => {});
      client.resume().once('close', () => (refused += 1));
      clients.push(client);
      await once(client, 'connect');
    }
    await moment('those beyond the limit to be refused', () => refused === 300 - 256);
    const end = once(clients[0] ?? server, 'close');
    clients[0]?.destroy();
    await end;
    await moment('another to take its place', async () => {
      const next = connect(join(sockets.path, 'proxy')).on('error', () => {});
      clients.push(next);
      const closed = once(next.resume(), 'close').then(() => false);
      return Promise.race([closed, moment('it to be kept', () => next.readyState === 'open').then(() => true)]);
    });
    for (const client of clients) client.destroy();
    await sockets.remove();
    expect(refused).to.be.at.least(44);
    folder.remove();
  });
});
