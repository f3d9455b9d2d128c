import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const json = 'Content-Type: application/json\r\n';

/**
 * One kept-alive HTTP connection for one request at a time. It reconnects if the server has closed it. It is minimal, so
 * that a bench measures the server and not the client.
 */
export class Connection {
  readonly #url: URL;
  #socket: Socket | undefined;
  #received = '';
  #wake: ((error?: Error) => void) | undefined;

  /** @param url a server's address, such as `http://127.0.0.1:7433` */
  constructor(url: string) {
    this.#url = new URL(url);
  }

  /**
   * Posts a body, by default JSON, and returns the answer's body as Latin-1.
   * @throws Error when the status is not 200 or the connection closes
   */
  async post(path: string, token: string, body: string | Buffer, headers = json): Promise<string> {
    const socket = await this.#open();
    this.#received = '';
    const bytes = Buffer.from(body);
    const head =
      `POST ${path} HTTP/1.1\r\nHost: ${this.#url.host}\r\nAuthorization: Bearer ${token}\r\n` +
      `${headers}Content-Length: ${bytes.length}\r\n\r\n`;
    socket.write(Buffer.concat([Buffer.from(head), bytes]));
    for (;;) {
      await this.#more();
      const answer = readAnswer(this.#received);
      if (answer === undefined) continue;
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.body}`);
      return answer.body;
    }
  }

  close(): void {
    this.#socket?.destroy();
  }

  async #open(): Promise<Socket> {
    if (this.#socket?.readyState === 'open') return this.#socket;
    const socket = connect(Number(this.#url.port), this.#url.hostname);
    await once(socket, 'connect');
    socket.setEncoding('latin1').setNoDelay(true);
    socket.on('data', (text: string) => {
      this.#received += text;
      this.#wake?.();
    });
    socket.on('close', () => this.#wake?.(new Error(`${this.#url.host} closed the connection`)));
    socket.on('error', () => undefined);
    this.#socket = socket;
    return socket;
  }

  #more(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#wake = (error) => (error === undefined ? resolve() : reject(error));
    });
  }
}

/** Parses an answer; undefined while it is incomplete. */
function readAnswer(text: string): { readonly status: number; readonly body: string } | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd).toLowerCase();
  const rest = text.slice(headEnd + 4);
  const length = /\r\ncontent-length: ([0-9]+)/.exec(head)?.[1];
  const body = length === undefined ? unchunked(rest) : rest.length >= Number(length) ? rest : undefined;
  return body === undefined ? undefined : { status: Number(head.slice(9, 12)), body };
}

/** Decodes a chunked body; undefined while it is incomplete. */
function unchunked(text: string): string | undefined {
  let content = '';
  for (let at = 0; ; ) {
    const sizeEnd = text.indexOf('\r\n', at);
    if (sizeEnd < 0) return undefined;
    const size = Number.parseInt(text.slice(at, sizeEnd), 16);
    const end = sizeEnd + 2 + size;
    if (text.length < end + 2) return undefined;
    if (size === 0) return content;
    content += text.slice(sizeEnd + 2, end);
    at = end + 2;
  }
}
