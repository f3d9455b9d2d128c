import type { Sending } from './exchange.ts';
import { keepListening } from './listening.ts';
import { metaOf, type RpcMessage, type RpcRequest } from './rpc-message.ts';

/** The revision in which resources are listened to. */
const revision = '2026-07-28';

/**
 * What a client of 2025 subscribed to. It is notified of updates on its session, which only its own process has: the
 * service is listened to for it, as a client of 2026-07-28 does.
 */
export class Subscriptions {
  readonly #sending: (signal: AbortSignal) => Sending;
  readonly #write: (message: RpcMessage) => void;
  readonly #open = new Map<string, AbortController>();

  constructor(sending: (signal: AbortSignal) => Sending, write: (message: RpcMessage) => void) {
    this.#sending = sending;
    this.#write = write;
  }

  /** Answers a request to subscribe once the service listens, or with why it does not. */
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

  /** Listens to nothing any more. */
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
