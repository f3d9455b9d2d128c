import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '#contract/failure.ts';
import { type ExchangeOptions, exchange } from './exchange.ts';
import { failureAnswer, type RpcMessage, type RpcRequest } from './rpc-message.ts';

/** How long to wait before a broken stream is reopened, in milliseconds. */
const againAfter = 500;

/** The callbacks of a subscription to resources. */
export interface Listener {
  /** The subscription is accepted. Called once. */
  accepted(acknowledgement: RpcMessage): void;
  /** One of the resources changed, or may have changed while the stream was interrupted. */
  updated(notification: RpcMessage): void;
  /** The request was answered, for example refused. Nothing more follows. */
  answered(answer: RpcMessage): void;
}

/**
 * Keeps a subscription to resources alive across restarts of the service, until the signal aborts. Whenever its stream
 * ends, the request is sent again, and all its resources are reported as changed.
 */
export async function keepListening(
  request: RpcRequest,
  sending: () => ExchangeOptions,
  signal: AbortSignal,
  listener: Listener,
): Promise<void> {
  let accepted: RpcMessage | undefined;
  while (!signal.aborted) {
    try {
      for await (const message of exchange(request, { ...sending(), signal })) {
        if (message.method === 'notifications/subscriptions/acknowledged') {
          if (accepted === undefined) listener.accepted(message);
          else for (const uri of urisIn(accepted)) listener.updated(updateOf(uri, accepted));
          accepted = message;
        } else if (message.method !== undefined) {
          listener.updated(message);
        } else if (message.error !== undefined || urisIn(accepted).length === 0) {
          return listener.answered(message);
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Failure)) throw error;
      if (error.code !== 'unavailable') return listener.answered(failureAnswer(request, error));
    }
    await delay(againAfter, undefined, { signal }).catch(() => undefined);
  }
}

/** The resources that an acknowledgement names. */
function urisIn(acknowledgement: RpcMessage | undefined): readonly string[] {
  const notifications = acknowledgement?.params?.['notifications'] as { resourceSubscriptions?: string[] } | undefined;
  return notifications?.resourceSubscriptions ?? [];
}

function updateOf(uri: string, { params }: RpcMessage): RpcMessage {
  return { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri, _meta: params?.['_meta'] } };
}
