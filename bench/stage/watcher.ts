import { connect, type Socket } from 'node:net';
import { pathOfMethod } from './installation.ts';

/** The beginning of a message with only a cursor, which means that the watch has caught up. */
const caughtUp = Buffer.from('{"cursor":"');
const named = Buffer.from('"cursor":"');
const kept = 1_024;

/**
 * A watch of the fleet with little CPU: it counts bytes and does not parse messages. It accepts gzip, as the page and
 * Connect's clients for programs do, and asks in JSON.
 */
export class Watcher {
  /** Resolves once every existing row has arrived. */
  readonly caughtUp: Promise<void>;
  bytes = 0;
  /** The cursor of the message with which it caught up. */
  cursor = '';
  readonly #socket: Socket;
  #tail: Buffer = Buffer.alloc(0);
  #isCaughtUp = false;

  /** @param cursor where a program resumes its watch */
  constructor(url: string, token: string, cursor?: string) {
    const { hostname, port, host } = new URL(url);
    const message = Buffer.from(JSON.stringify(cursor === undefined ? {} : { cursor }));
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    this.#socket = connect(Number(port), hostname);
    this.#socket.write(
      `POST ${pathOfMethod('WatchAgents')} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n` +
        `content-type: application/connect+json\r\ncontent-length: ${message.length + head.length}\r\n` +
        'connect-accept-encoding: gzip\r\n\r\n',
    );
    this.#socket.write(Buffer.concat([head, message]));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.caughtUp = promise;
    this.#socket.on('data', (chunk) => this.#read(chunk, resolve));
    this.#socket.on('error', reject);
    this.#socket.on('close', () => reject(new Error(`a watch ended: ${this.#tail.toString('latin1').slice(-300)}`)));
    promise.catch(() => undefined);
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer, resolve: () => void): void {
    this.bytes += chunk.length;
    if (this.#isCaughtUp) return;
    // A message may be split between two chunks.
    const seam = Buffer.concat([this.#tail, chunk.subarray(0, kept)]);
    this.#isCaughtUp = seam.includes(caughtUp) || chunk.includes(caughtUp);
    this.#tail = chunk.length < kept ? seam.subarray(-kept) : chunk.subarray(-kept);
    if (!this.#isCaughtUp) return;
    const last = this.#tail.lastIndexOf(named);
    this.cursor = this.#tail.toString('latin1', last + named.length, this.#tail.indexOf('"', last + named.length));
    resolve();
  }
}
