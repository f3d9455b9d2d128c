import type { ExchangeOptions } from './exchange.ts';
import { keepListening } from './listening.ts';
import { metaOf, type RpcMessage, type RpcRequest } from './rpc-message.ts';

/** The revision of the requests that subscribe to resources. */
const revision = '2026-07-28';

/**
 * The subscriptions of a client of MCP 2025. Such a client expects updates on its session, which the service does not
 * have, so this subscribes for it as a client of MCP 2026-07-28 does.
 */
export class Subscriptions {
  readonly #sending: (signal: AbortSignal) => ExchangeOptions;
  readonly #write: (message: RpcMessage) => void;
  readonly #open = new Map<string, AbortController>();

  constructor(sending: (signal: AbortSignal) => ExchangeOptions, write: (message: RpcMessage) => void) {
    this.#sending = sending;
    this.#write = write;
  }

  /** Answers a request to subscribe, once the service accepts or refuses it. */
  async subscribe(request: RpcRequest): Promise<RpcMessage> {
    const uri = uriOf(request);
    this.#open.get(uri)?.abort();
    const going = new AbortController();
    this.#open.set(uri, going);
    const answer = Promise.withResolvers<RpcMessage>();
    const { id } = request;
    const listening = keepListening(listenRequest(uri), () => this.#sending(going.signal), going.signal, {
      accepted: () => answer.resolve({ jsonrpc: '2.0', id, result: {} }),
      updated: () => this.#write({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } }),
      answered: (message) => answer.resolve({ ...message, id }),
    });
    listening.catch(answer.reject).finally(() => {
      if (this.#open.get(uri) === going) this.#open.delete(uri);
    });
    return answer.promise;
  }

  /** Answers a request to unsubscribe. */
  unsubscribe(request: RpcRequest): RpcMessage {
    this.#open.get(uriOf(request))?.abort();
    return { jsonrpc: '2.0', id: request.id, result: {} };
  }

  /** Ends all subscriptions. */
  end(): void {
    for (const one of this.#open.values()) one.abort();
  }
}

function listenRequest(uri: string): RpcRequest {
  const params = { notifications: { resourceSubscriptions: [uri] }, _meta: metaOf(revision) };
  return { jsonrpc: '2.0', id: `subscription to ${uri}`, method: 'subscriptions/listen', params };
}

function uriOf({ params }: RpcRequest): string {
  return String(params?.['uri'] ?? '');
}
