import { connect, type Socket } from 'node:net';

/** Called with the HTTP status of each answer, and its time in milliseconds. */
export type OnAnswer = (status: number, tookMs: number) => void;

/**
 * Sends the same request repeatedly over one kept-alive HTTP connection, with little CPU, so that a bench does not
 * measure its own load generator.
 */
export class Caller {
  readonly #url: URL;
  readonly #request: Buffer;
  readonly #onAnswer: OnAnswer;
  #socket: Socket | undefined;
  #received = '';
  #since = 0;
  busy = false;

  constructor(url: string, request: Buffer, onAnswer: OnAnswer) {
    this.#url = new URL(url);
    this.#request = request;
    this.#onAnswer = onAnswer;
  }

  /** Sends the request once, and reports the answer. A broken connection counts as an answer with status 0. */
  ask(): void {
    this.busy = true;
    this.#since = performance.now();
    this.#open().write(this.#request);
  }

  close(): void {
    this.#socket?.removeAllListeners('close').destroy();
  }

  #open(): Socket {
    if (this.#socket !== undefined && !this.#socket.destroyed) return this.#socket;
    const socket = connect(Number(this.#url.port), this.#url.hostname).setEncoding('latin1').setNoDelay(true);
    socket.on('data', (text: string) => this.#read(text));
    socket.on('error', () => undefined);
    socket.on('close', () => this.busy && this.#end(0));
    this.#socket = socket;
    return socket;
  }

  #read(text: string): void {
    this.#received += text;
    const head = this.#received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = /\r\ncontent-length: ([0-9]+)/i.exec(this.#received)?.[1];
    const isWhole =
      length === undefined
        ? this.#received.endsWith('\r\n0\r\n\r\n') || this.#received.endsWith('\r\n\r\n0\r\n\r\n')
        : this.#received.length >= head + 4 + Number(length);
    if (isWhole) this.#end(Number(this.#received.slice(9, 12)));
  }

  #end(status: number): void {
    this.busy = false;
    this.#received = '';
    this.#onAnswer(status, performance.now() - this.#since);
  }
}

/** The bytes of an HTTP/1.1 POST with a JSON body. `more` are additional header lines. */
export function requestBytes(url: string, path: string, token: string, body: string, more = ''): Buffer {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${token}\r\n${more}` +
      `${/content-type/i.test(more) ? '' : 'Content-Type: application/json\r\n'}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
