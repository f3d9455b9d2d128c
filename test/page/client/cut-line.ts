import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A line to a port of this machine that a test can cut: a browser that goes through it sees a network that is gone. */
export interface CutLine {
  /** What a browser is notified of it: a SOCKS proxy, by which the page’s own address stays as it is. */
  readonly proxy: { readonly server: string; readonly bypass: string };
  /** Ends its connections, and accepts no others. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** The SOCKS 5 replies to a greeting (no authentication), and to a request (success). */
const welcome = Buffer.from([5, 0]);
const granted = Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);

/** Lays one to an address such as `http://127.0.0.1:7878`. */
export async function layLine(to: string): Promise<CutLine> {
  const port = Number(new URL(to).port);
  const open = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket, other: Socket): void => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      other.destroy();
    });
  };
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    keep(near, far);
    keep(far, near);
    near.once('data', () => {
      near.write(welcome);
      near.once('data', () => {
        near.write(granted);
        near.pipe(far);
        far.pipe(near);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const drop = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    proxy: {
      server: `socks5://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
      bypass: '<-loopback>',
    },
    cut() {
      isCut = true;
      drop();
    },
    mend() {
      isCut = false;
    },
    async close() {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}
