import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The two ways through a relay: what who connects to it sends, and what it is sent. */
export type Way = 'sent' | 'received';

/** How long a relay holds what it passes on, in milliseconds: 0 passes it on at once. Called for each piece. */
export type Delay = (way: Way) => number;

/**
 * Passes on what comes to its own port. What a cut has swallowed is lost: its connections end once it is
 * fixed.
 */
export class Relay {
  readonly port: number;
  readonly #server: ReturnType<typeof createServer>;
  readonly #open = new Set<Socket>();
  readonly #lost = new Set<Way>();
  #delay: Delay = () => 0;

  private constructor(server: ReturnType<typeof createServer>, to: () => number) {
    this.#server = server;
    const address = server.address();
    this.port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    server.on('connection', (near) => {
      this.#keep(near);
      if (this.#lost.size > 0) return void near.pause();
      const far = connect(to(), '127.0.0.1');
      this.#keep(far);
      for (const [one, other, way] of [
        [near, far, 'sent'],
        [far, near, 'received'],
      ] as const) {
        let last = Promise.resolve();
        one.on('data', (bytes) => {
          last = this.#pass(last, way, () => this.#lost.has(way) || other.write(bytes));
        });
        one.on('close', () => this.#lost.size > 0 || other.destroy());
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
    for (const way of ['sent', 'received'] as const) this.lose(way);
  }

  /** Loses what goes one way from now on. */
  lose(way: Way): void {
    this.#lost.add(way);
  }

  /** Holds what it passes on from now on. */
  slow(delay: Delay): void {
    this.#delay = delay;
  }

  mend(): void {
    this.#lost.clear();
    this.#delay = () => 0;
    for (const socket of this.#open) socket.destroy();
  }

  async close(): Promise<void> {
    this.mend();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Passes a piece on, after those before it, once it was held. */
  async #pass(before: Promise<void>, way: Way, write: () => void): Promise<void> {
    const held = this.#delay(way);
    if (held > 0) await pause(held);
    await before;
    write();
  }

  #keep(socket: Socket): void {
    this.#open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#open.delete(socket));
  }
}
