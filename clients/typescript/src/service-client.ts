import type { DescMessage, DescMethod, DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { type CallOptions, type Client, createClient, type Transport } from '@connectrpc/connect';
import { follow, type OnLost } from './follow.ts';
import { MusterError } from './muster-error.ts';

/** How long a call may take unless it says otherwise, in milliseconds. */
const callMs = 30_000;

type Request = MessageInitShape<DescMessage> & { readonly cursor?: string };
type Unary = (request: Request, options?: CallOptions) => Promise<MessageShape<DescMessage>>;
type Watch = (
  request: Request,
  options?: CallOptions,
) => AsyncIterable<MessageShape<DescMessage> & { cursor?: string }>;

/**
 * A client of one service. Calls throw a MusterError, and take 30 s at most unless `timeoutMs` says otherwise. Watches
 * resume from their cursor after a cut, and end without an error when their signal aborts.
 */
export function serviceClient<Service extends DescService>(
  service: Service,
  transport: Transport,
  onLost?: OnLost,
): Client<Service> {
  const plain = createClient(service, transport) as unknown as Record<string, Unary & Watch>;
  const own = service.methods.map((method) => [method.localName, ownMethod(method, plain, onLost)] as const);
  return Object.fromEntries(own) as unknown as Client<Service>;
}

function ownMethod(
  { localName, methodKind }: DescMethod,
  plain: Record<string, Unary & Watch>,
  onLost: OnLost | undefined,
): Unary | Watch {
  const call = plain[localName];
  if (call === undefined) throw new Error(`There is no method ${localName}`);
  return methodKind === 'unary' ? ownCall(call) : ownWatch(call, onLost);
}

function ownCall(call: Unary): Unary {
  return async (request, options) => {
    try {
      return await call(request, { timeoutMs: callMs, ...options });
    } catch (error) {
      throw MusterError.from(error);
    }
  };
}

function ownWatch(watch: Watch, onLost: OnLost | undefined): Watch {
  return (request, options = {}) =>
    follow({
      open: (cursor, signal) => watch(cursor === '' ? request : { ...request, cursor }, { ...options, signal }),
      signal: options.signal,
      onLost,
    });
}
