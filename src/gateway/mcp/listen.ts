import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import { releaseSlot } from '#gateway/http/admission.ts';
import type { McpService } from './service.ts';
import { authInfoOf, type Session } from './session.ts';
import { subscribe } from './subscription.ts';

/** How many resources one stream may subscribe to. */
const maxResources = 64;

const ListenRequest = z.object({
  method: z.literal('subscriptions/listen'),
  params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string()).min(1) }) }),
});

/** An MCP request: the HTTP request, and its message. */
export interface McpRequest {
  readonly request: Request;
  readonly message: unknown;
}

/** The resources that a message subscribes to; undefined if it is not a subscription. */
export function listenedTo(message: unknown): readonly string[] | undefined {
  return ListenRequest.safeParse(message).data?.params.notifications.resourceSubscriptions;
}

/**
 * Answers a subscription to resources with a stream, which lasts until the client leaves or the gateway stops.
 * @throws Failure when the caller may not read one of them, names too many, or has too many streams open
 */
export async function listen(
  uris: readonly string[],
  { request, message }: McpRequest,
  session: Session,
  factory: McpServerFactory,
  service: McpService,
): Promise<Response> {
  if (uris.length > maxResources) {
    throw new Failure('INVALID_VALUE', `${uris.length} resources are named, and at most ${maxResources} are allowed`);
  }
  const ended = new AbortController();
  const leave = service.streams.enter(session.credential);
  releaseSlot();
  ended.signal.addEventListener('abort', leave, { once: true });
  try {
    const { events, isSubscribed } = await subscribe(uris, session, service, () => ended.abort());
    const handler = createMcpHandler(factory, { legacy: 'reject', bus: events });
    const stop = () => void handler.close();
    service.stopping.addEventListener('abort', stop, { once: true, signal: ended.signal });
    const response = await handler.fetch(request, { authInfo: authInfoOf(session), parsedBody: message });
    if (!isSubscribed()) ended.abort();
    return response;
  } catch (error) {
    ended.abort();
    throw error;
  }
}
