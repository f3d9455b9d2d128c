import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from '#cli/client/connection.ts';
import { Failure } from '#contract/failure.ts';
import { type ExchangeOptions, exchange, isUnsent } from './exchange.ts';
import { keepListening } from './listening.ts';
import { failureAnswer, failureIn, isRequest, type RpcMessage, type RpcRequest, readMessage } from './rpc-message.ts';
import { Subscriptions } from './subscriptions.ts';

/** How long a request waits for an unreachable service, and how often it is retried, in milliseconds. */
const defaultPatienceMs = 20_000;
const tryEvery = 250;

/** The dependencies of a relay. */
export interface RelayOptions {
  /** @throws Failure when the service's address or the token is missing */
  readonly connection: () => Connection;
  /** Writes a message for the client. */
  readonly write: (message: RpcMessage) => void;
  /** How long a request waits for an unreachable service, in milliseconds. */
  readonly patienceMs?: number;
}

/**
 * Relays messages between a client on this computer and the service, each one separately, so that a client does not
 * notice restarts of the service. It knows no tools, and as little of MCP as possible.
 */
export class Relay {
  readonly #options: RelayOptions;
  /** The requests in progress, by id. */
  readonly #open = new Map<string | number, AbortController>();
  readonly #work = new Set<Promise<void>>();
  readonly #subscriptions: Subscriptions;
  /** The revision that a client of MCP 2025 has negotiated. */
  #agreed: string | undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#subscriptions = new Subscriptions((signal) => this.#sending(signal), options.write);
  }

  /** Handles one line of the client. */
  take(line: string): void {
    if (line.trim() === '') return;
    const message = readMessage(line);
    if ('refusal' in message) this.#options.write(message.refusal);
    else if (isRequest(message)) this.#start(message, line);
    // The service keeps no session, so this is the only notification with an effect.
    else if (message.method === 'notifications/cancelled') this.#cancel(message.params?.['requestId']);
  }

  /** Waits up to `withinMs` milliseconds for requests in progress. Subscriptions end at once. */
  async end(withinMs: number): Promise<void> {
    this.#subscriptions.end();
    const late = setTimeout(() => {
      for (const going of this.#open.values()) going.abort();
    }, withinMs);
    await Promise.all(this.#work);
    clearTimeout(late);
  }

  #start(request: RpcRequest, text: string): void {
    const going = new AbortController();
    this.#open.set(request.id, going);
    const work = this.#serve(request, text, going.signal)
      .catch((error: unknown) => {
        // A cancelled request is not answered.
        if (!going.signal.aborted) this.#options.write(failureAnswer(request, failureOf(request, error)));
      })
      .finally(() => {
        this.#open.delete(request.id);
        this.#work.delete(work);
      });
    this.#work.add(work);
  }

  #cancel(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.#open.get(id)?.abort();
  }

  async #serve(request: RpcRequest, text: string, signal: AbortSignal): Promise<void> {
    const { write } = this.#options;
    const listener = { accepted: write, updated: write, answered: write };
    switch (request.method) {
      case 'subscriptions/listen':
        return keepListening(request, () => this.#sending(signal), signal, listener);
      case 'resources/subscribe':
        return write(await this.#subscriptions.subscribe(request));
      case 'resources/unsubscribe':
        return write(this.#subscriptions.unsubscribe(request));
      default:
        return this.#ask(request, text, signal);
    }
  }

  async #ask(request: RpcRequest, text: string, signal: AbortSignal): Promise<void> {
    const until = performance.now() + (this.#options.patienceMs ?? defaultPatienceMs);
    for (;;) {
      try {
        for await (const message of exchange(request, { ...this.#sending(signal), text })) {
          const away = failureIn(message);
          if (away?.code === 'unavailable' && performance.now() < until) throw away;
          this.#options.write(request.method === 'initialize' ? this.#agree(message) : message);
        }
        return;
      } catch (error) {
        if (signal.aborted || performance.now() >= until || !mayRepeat(request, error)) throw error;
      }
      await delay(tryEvery, undefined, { signal });
    }
  }

  /** Stores the negotiated revision, and adds the capabilities that the relay itself provides. */
  #agree(message: RpcMessage): RpcMessage {
    const { protocolVersion, capabilities } = message.result ?? {};
    if (typeof protocolVersion !== 'string') return message;
    this.#agreed = protocolVersion;
    return {
      ...message,
      result: { ...message.result, capabilities: { ...(capabilities as object), resources: { subscribe: true } } },
    };
  }

  #sending(signal: AbortSignal): ExchangeOptions {
    return { connection: this.#options.connection(), agreed: this.#agreed, signal };
  }
}

/** Whether a request may be sent again: if it did not arrive, or if it only reads. */
function mayRepeat({ method }: RpcRequest, error: unknown): boolean {
  if (!(error instanceof Failure) || error.code !== 'unavailable') return false;
  return method !== 'tools/call' || isUnsent(error);
}

/** The failure to answer a request with that could not be relayed. */
function failureOf(request: RpcRequest, error: unknown): Failure {
  if (!(error instanceof Failure)) {
    return new Failure('INTERNAL', `muster mcp failed because of a bug of its own: ${String(error)}`, {
      cause: error,
    });
  }
  if (error.code !== 'unavailable' || request.method !== 'tools/call' || isUnsent(error)) return error;
  return error.saying(`${error.message}. The call may have succeeded: check before you repeat it`);
}
