import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { readWholeRequest, type WholeRequest } from './whole-request.ts';

/** Who refuses requests before they are parsed. */
export interface EarlyRefusal {
  /** Whether anything may be refused at present; it is asked first. */
  mayRefuse(): boolean;
  /** The whole answer to a request that is refused; undefined if it is to be parsed. */
  refusalOf(request: WholeRequest): Buffer | undefined;
}

/**
 * One HTTP/1.1 connection before node's parser. While more comes than can be done, a plain request is refused from its
 * bytes alone, for a third of what it costs to parse and answer it; everything else goes on to the parser as it came.
 * That is decided only if one request ends and another begins: once it is not sure where that is, the parser has the
 * connection for good.
 */
export class Http1Connection {
  readonly #socket: Socket;
  readonly #early: EarlyRefusal;
  /** Whether the next bytes begin a request. */
  #between = true;
  /** Whether the parser was given whole requests alone, one at a time. */
  #wasWhole = true;
  #timer: NodeJS.Timeout | undefined;
  #parse: ((bytes: Buffer) => void) | undefined;

  constructor(socket: Socket, early: EarlyRefusal) {
    this.#socket = socket;
    this.#early = early;
  }

  /**
   * Puts itself before the parser that listens to the socket; `onSlow` is called when no request came within the time.
   */
  attach(withinMs: number, onSlow: () => void): void {
    this.#timer = setTimeout(onSlow, withinMs);
    this.#socket.once('close', () => clearTimeout(this.#timer));
    const [parse] = this.#socket.listeners('data') as ((bytes: Buffer) => void)[];
    if (parse === undefined) return;
    this.#parse = parse;
    this.#socket.off('data', parse);
    this.#socket.on('data', (bytes: Buffer) => this.#take(bytes));
  }

  /** Answers a request that begins with the next bytes, if it is refused. */
  refuses(bytes: Buffer): boolean {
    // One who does not read what is answered is left to the parser, which then takes no more.
    if (!this.#between || !this.#early.mayRefuse() || this.#socket.writableLength > 0) return false;
    const request = readWholeRequest(bytes);
    const answer = request && this.#early.refusalOf(request);
    if (answer === undefined) return false;
    this.#socket.write(answer);
    return true;
  }

  /** Is notified of a request that the parser gave out. */
  answers(request: IncomingMessage, response: ServerResponse): void {
    clearTimeout(this.#timer);
    response.once('close', () => {
      this.#between = this.#wasWhole && request.complete;
    });
  }

  #take(bytes: Buffer): void {
    if (this.refuses(bytes)) return;
    // Cheap if it matters: the end of a whole request is looked for only between two.
    this.#wasWhole = this.#between && this.#wasWhole && readWholeRequest(bytes) !== undefined;
    this.#between = false;
    this.#parse?.(bytes);
  }
}
