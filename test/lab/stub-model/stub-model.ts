import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { answer, refuseForLimit } from './answer.ts';
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { directiveOf, isOwnRequest } from './directive.ts';
import { gemini, geminiWhole } from './gemini.ts';
import { Hold } from './hold.ts';
import type { ModelRequest } from './model-request.ts';
import { responses } from './responses.ts';
import { scriptOf } from './script.ts';
import type { Api } from './voice.ts';

const apis: readonly Api[] = [anthropic, responses, chat, gemini, geminiWhole];

/** A model that runs in the test's own process on loopback and speaks the APIs of all CLIs. */
export class StubModel {
  readonly hold = new Hold();
  /** Every request that came so far, in order. */
  readonly requests: ModelRequest[] = [];
  /** What went wrong here, as a line each: none, unless a CLI speaks otherwise than the stub knows. */
  readonly faults: string[] = [];
  /** Whether it lets every connection go without an answer. */
  isKilled = false;
  /** How often it was asked to work, also while it was killed. */
  asked = 0;
  /** When the usage limit that it refuses for ends, in milliseconds since 1970; undefined before it was asked to. */
  limitEnds: number | undefined;
  #answering = 0;
  #hasCalled = false;
  readonly #unwrap: (sent: string) => string;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  /** `unwrap` takes off what the CLI puts around a pasted text. */
  constructor(unwrap: (sent: string) => string = (sent) => sent) {
    this.#unwrap = unwrap;
  }

  /** Where it is reached, without a slash at the end. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    // It is also every CLI's proxy, so that nothing gets out into the world.
    this.#server.on('connect', (_request, socket) => {
      // The other side may go away without a word.
      socket.on('error', () => socket.destroy());
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    this.hold.release();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** How often a text was sent to be worked on: not for a title or the like, and not again as what was said before. */
  timesSent(text: string): number {
    const isText = (sent: string) => this.#unwrap(sent) === text;
    const turns = this.requests.filter((request) => request.tools.length > 0 && isText(directiveOf(request).from));
    return turns.flatMap(({ heard }) => heard.filter((one) => one.kind === 'text' && isText(one.text))).length;
  }

  /** Whether the newest request to work on something has a text in its conversation. */
  hasHeard(text: string): boolean {
    return this.lastTurn?.heard.some((one) => one.kind === 'text' && this.#unwrap(one.text) === text) === true;
  }

  /** The newest request to work on something. */
  get lastTurn(): ModelRequest | undefined {
    return this.requests.findLast((request) => request.tools.length > 0);
  }

  /**
   * What it knows of the work that it is asked for: it answers now, its last answer asked for a tool, or it owes
   * nothing.
   */
  get standing(): 'answering' | 'called' | 'answered' {
    if (this.#answering > 0) return 'answering';
    return this.#hasCalled ? 'called' : 'answered';
  }

  /** Takes the tool that it asked for as refused. */
  forget(): void {
    this.#hasCalled = false;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://stub').pathname;
    try {
      const body = await buffer(request);
      if (this.isKilled) {
        this.asked += 1;
        return void response.destroy();
      }
      const api = apis.find((one) => request.method === 'POST' && one.path.test(path));
      if (api === undefined) return this.#refuse(`${request.method} ${path}`, response);
      const read = api.read(JSON.parse(unpacked(body, request.headers['content-encoding'])), path);
      const asked = isOwnRequest(read) ? { ...read, heard: [], tools: [] } : read;
      this.requests.push(asked);
      if (asked.tools.length === 0) return await answer(api, asked, response, this.hold);
      await this.#work(api, asked, response);
    } catch (error) {
      this.faults.push(`${path}: ${String(error)}`);
      response.destroy();
    }
  }

  async #work(api: Api, asked: ModelRequest, response: ServerResponse): Promise<void> {
    this.asked += 1;
    this.#answering += 1;
    this.#hasCalled = false;
    try {
      if (this.#isLimited(asked)) return refuseForLimit(this.limitEnds ?? 0, response);
      await answer(api, asked, response, this.hold);
      this.#hasCalled = response.writableEnded && scriptOf(asked).some(({ kind }) => kind === 'call');
    } finally {
      this.#answering -= 1;
    }
  }

  /** Screens show ends of limits to the minute. */
  #isLimited(asked: ModelRequest): boolean {
    const { verb, argument } = directiveOf(asked);
    if (verb !== 'limit') return false;
    this.limitEnds ??= Math.ceil((Date.now() + Number(argument) * 1_000) / 60_000) * 60_000;
    return Date.now() < this.limitEnds;
  }

  #refuse(what: string, response: ServerResponse): void {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { type: 'not_found_error', message: `the stub model knows no ${what}` } }));
  }
}

function unpacked(body: Buffer, encoding: string | undefined): string {
  if (encoding === 'gzip') return gunzipSync(body).toString();
  if (encoding === 'zstd') return zstdDecompressSync(body).toString();
  return body.toString();
}
