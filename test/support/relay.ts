import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * Passes on what comes to its own port. What a cut has swallowed is lost: its connections are at an end once it is
 * fixed.
 */
export class Relay {
  readonly port: number;
  readonly #server: ReturnType<typeof createServer>;
  readonly #open = new Set<Socket>();
  #isCut = false;

  private constructor(server: ReturnType<typeof createServer>, to: () => number) {
    this.#server = server;
    const address = server.address();
    this.port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    server.on('connection', (near) => {
      this.#keep(near);
      if (this.#isCut) return void near.pause();
      const far = connect(to(), '127.0.0.1');
      this.#keep(far);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        one.on('data', (bytes) => this.#isCut || other.write(bytes));
        one.on('close', () => this.#isCut || other.destroy());
      }
    });
  }

  /** Opens one to a port of this machine, or while that port is 0, to nowhere. */
  static async open(to: () => number): Promise<Relay> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Relay(server, to);
  }

  cut(): void {
    this.#isCut = true;
  }

  mend(): void {
    this.#isCut = false;
    for (const socket of this.#open) socket.destroy();
  }

  async close(): Promise<void> {
    this.mend();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #keep(socket: Socket): void {
    this.#open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#open.delete(socket));
  }
}
