import type { ClientRequest, IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { httpModuleFor } from '#contract/access/http-module.ts';

/** A request to post. */
export interface PostRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly signal?: AbortSignal;
}

/** An answer whose headers have arrived. Its body can be read once, as bytes or text. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: AsyncIterable<Uint8Array>;
  text(): Promise<string>;
}

/**
 * Posts over a new connection, without following redirects. It replaces `fetch`, which takes longer to load than a call
 * should. Rejects with Node's error of the connection, or with the signal's reason.
 */
export function postTo(url: string, { headers, body, signal }: PostRequest): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const asked: ClientRequest = httpModuleFor(url).request(url, {
    method: 'POST',
    headers,
    agent: false,
    ...(signal && { signal }),
  });
  asked.once('response', (answer) => resolve(answerOf(answer, signal)));
  asked.on('error', (error) => reject(signal?.aborted ? signal.reason : error));
  asked.end(body);
  return promise;
}

function answerOf(answer: IncomingMessage, signal: AbortSignal | undefined): Answer {
  const body = chunksOf(answer, signal);
  return {
    status: answer.statusCode ?? 0,
    contentType: answer.headers['content-type'] ?? '',
    body,
    text: () => text(body),
  };
}

async function* chunksOf(answer: IncomingMessage, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array, void> {
  try {
    yield* answer as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}
