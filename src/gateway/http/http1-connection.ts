import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type RequestHead, readRequestHead } from './request-head.ts';

/** Refuses requests before they are parsed. */
export interface EarlyRefusal {
  /** Whether any request might be refused now. Called first. */
  mayRefuse(): boolean;
  /** The whole answer to a refused request; undefined if the request should be parsed. */
  refusalOf(request: RequestHead): Buffer | undefined;
}

/**
 * An HTTP/1.1 connection in front of node's parser. During overload, a plain request is refused from its bytes alone,
 * at a third of the cost of parsing and answering it. Everything else is passed to the parser. This works only at the
 * boundary between two requests: once that is uncertain, the parser gets the rest of the connection.
 */
export class Http1Connection {
  readonly #socket: Socket;
  readonly #early: EarlyRefusal;
  /** Whether the next bytes start a request. */
  #between = true;
  /** Whether the parser has only got whole requests, one at a time. */
  #wasWhole = true;
  #timer: NodeJS.Timeout | undefined;
  #parse: ((bytes: Buffer) => void) | undefined;

  constructor(socket: Socket, early: EarlyRefusal) {
    this.#socket = socket;
    this.#early = early;
  }

  /** Intercepts the data for the parser on the socket. Calls `onSlow` if no request arrives within the time. */
  attach(withinMs: number, onSlow: () => void): void {
    this.#timer = setTimeout(onSlow, withinMs);
    this.#socket.once('close', () => clearTimeout(this.#timer));
    const [parse] = this.#socket.listeners('data') as ((bytes: Buffer) => void)[];
    if (parse === undefined) return;
    this.#parse = parse;
    this.#socket.off('data', parse);
    this.#socket.on('data', (bytes: Buffer) => this.#take(bytes));
  }

  /** Answers the request that starts with these bytes, if it is refused. */
  refuses(bytes: Buffer): boolean {
    // A peer that does not read its answers is left to the parser, which then stops reading.
    if (!this.#between || !this.#early.mayRefuse() || this.#socket.writableLength > 0) return false;
    const request = readRequestHead(bytes);
    const answer = request && this.#early.refusalOf(request);
    if (answer === undefined) return false;
    this.#socket.write(answer);
    return true;
  }

  /** Called with each request that the parser emits. */
  answers(request: IncomingMessage, response: ServerResponse): void {
    clearTimeout(this.#timer);
    response.once('close', () => {
      this.#between = this.#wasWhole && request.complete;
    });
  }

  #take(bytes: Buffer): void {
    if (this.refuses(bytes)) return;
    // The end of a request is only searched between two requests, which keeps this cheap.
    this.#wasWhole = this.#between && this.#wasWhole && readRequestHead(bytes) !== undefined;
    this.#between = false;
    this.#parse?.(bytes);
  }
}
