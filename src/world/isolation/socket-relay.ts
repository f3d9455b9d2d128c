import { connect, createServer, type Socket } from 'node:net';
import type { Listener } from './socket-folder.ts';

/**
 * Makes a relay from a Unix socket to a port of this machine.
 * @param localAddress the address that connections come from; the system's choice if undefined
 */
export function relayTo(host: string, port: number, localAddress?: string): Listener {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ host, port, allowHalfOpen: true, ...(localAddress && { localAddress }) });
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.once('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  return {
    server,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
