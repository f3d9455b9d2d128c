import { createParser } from 'eventsource-parser';
import type { Connection } from '#cli/client/connection.ts';
import { answeredFailure, networkFailure, send } from '#cli/client/http.ts';
import type { Answer } from '#cli/client/post.ts';
import { Failure } from '#contract/failure.ts';
import { type RpcMessage, type RpcRequest, revisionOf } from './rpc-message.ts';

const path = 'mcp';
/** By method, the parameter that HTTP repeats in a header. */
const namedBy: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'resources/read': 'uri',
  'prompts/get': 'name',
};
/** Errors of a connection that was never established. */
const neverMade = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** How to send a request. */
export interface ExchangeOptions {
  readonly connection: Connection;
  /** The revision that a client of MCP 2025 has negotiated; undefined before that. */
  readonly agreed: string | undefined;
  readonly signal: AbortSignal;
  /** The client's original text, because its numbers may be larger than JavaScript represents exactly. */
  readonly text?: string | undefined;
}

/**
 * Sends one request to the service and yields each message of the answer, the last of which is the result.
 * @throws Failure of the service, or UNAVAILABLE when it cannot be reached or the answer is interrupted
 */
export async function* exchange(request: RpcRequest, sending: ExchangeOptions): AsyncGenerator<RpcMessage> {
  const { connection, agreed, signal, text: body = JSON.stringify(request) } = sending;
  const answer = await send(connection, path, { headers: headersOf(request, agreed), body, signal });
  let last: RpcMessage | undefined;
  try {
    for await (const message of messagesOf(connection, answer)) {
      last = message;
      yield message;
    }
  } catch (error) {
    throw networkFailure(connection, error);
  }
  if (last !== undefined && last.method === undefined) return;
  throw new Failure(
    'ANSWER_INTERRUPTED',
    `muster at ${connection.baseUrl} broke off its answer: it may have been stopped`,
  );
}

/** Whether a request certainly did not reach the service. */
export function isUnsent(failure: Failure): boolean {
  const { cause } = failure;
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return inner instanceof Error && 'code' in inner && neverMade.has(String(inner.code));
}

function headersOf(request: RpcRequest, agreed: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    // A connection kept from before a restart would break in the middle of a call.
    connection: 'close',
  };
  const revision = revisionOf(request);
  if (revision === undefined) return agreed === undefined ? headers : { ...headers, 'mcp-protocol-version': agreed };
  const name = request.params?.[namedBy[request.method] ?? ''];
  return {
    ...headers,
    'mcp-protocol-version': headerText(revision),
    'mcp-method': headerText(request.method),
    ...(typeof name === 'string' ? { 'mcp-name': headerText(name) } : {}),
  };
}

/** A text for a header: in base64 if it is not plain ASCII. */
function headerText(text: string): string {
  const plain = /^[!-~]([ -~\t]*[!-~])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return plain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

async function* messagesOf(connection: Connection, answer: Answer): AsyncGenerator<RpcMessage> {
  if (/^text\/event-stream\b/i.test(answer.contentType)) {
    yield* eventsOf(answer.body);
    return;
  }
  const text = await answer.text();
  const message = messageIn(text);
  if (message === undefined) throw await answeredFailure(connection, path, answer.status, text);
  yield message;
}

function messageIn(text: string): RpcMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'jsonrpc' in value ? (value as RpcMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** The messages of a stream of server-sent events. */
async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<RpcMessage> {
  const decoder = new TextDecoder();
  let come: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => come.push(data) });
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    const texts = come;
    come = [];
    for (const text of texts) if (text !== '') yield JSON.parse(text) as RpcMessage;
  }
}
