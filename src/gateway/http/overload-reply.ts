import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodeEnvelope } from '@connectrpc/connect/protocol';
import { setTrailerStatus } from '@connectrpc/connect/protocol-grpc';
import { Failure } from '#contract/failure.ts';
import { failureCodes } from '#contract/reason/failure-code.ts';
import { connectErrorOf, errorBody } from '#gateway/http/connect-error.ts';
import { STATUS_CODES } from './node-http.ts';
import { parseWire } from './wire.ts';

/** The maximum size of a refused request's body that is read, in bytes. For a larger one, the connection is closed. */
const maxUnread = 64 * 1024;

const failure = new Failure(
  'GATEWAY_OVERLOADED',
  'More calls arrive than the gateway can handle: wait a second, then try again, with fewer at a time',
);
const json = errorBody(failure);
const lastFrame = Buffer.from(encodeEnvelope(2, Buffer.from(`{"error":${json}}`))).toString('latin1');
const grpcTrailers = grpcStatusOf(failure);
const common = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** An HTTP answer. Its body is latin1. */
interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function grpcStatusOf(refusal: Failure): Readonly<Record<string, string>> {
  const trailers = new Headers();
  setTrailerStatus(trailers, connectErrorOf(refusal));
  return Object.fromEntries(trailers);
}

/** Refuses a request for overload, in the format of its content type, without reading it. */
export function refuseOverload(request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = replyTo(request.headers['content-type'] ?? '');
  response.writeHead(status, { ...headers, ...(isLong(request) && { connection: 'close' }) });
  response.end(body, 'latin1');
}

/** The same answer as bytes for an HTTP/1.1 connection that stays open; undefined if no call has the content type. */
export function overloadBytes(contentType: string): Buffer | undefined {
  if (parseWire(contentType) === undefined) return undefined;
  const second = Math.floor(Date.now() / 1000);
  if (second !== rendered.second) rendered = { second, answers: new Map() };
  const known = rendered.answers.get(contentType);
  if (known !== undefined) return known;
  const bytes = render(replyTo(contentType), new Date(second * 1000));
  // Callers may vary the content type endlessly, so the cache is limited.
  if (rendered.answers.size < maxRendered) rendered.answers.set(contentType, bytes);
  return bytes;
}

/** The answers rendered in the current second, by content type, because an answer has a date. */
let rendered: { readonly second: number; readonly answers: Map<string, Buffer> } = { second: 0, answers: new Map() };
const maxRendered = 32;

function replyTo(type: string): Reply {
  if (type.startsWith('application/grpc')) {
    return { status: 200, headers: { ...common, 'content-type': type, ...grpcTrailers }, body: '' };
  }
  if (type.startsWith('application/connect+')) {
    return { status: 200, headers: { ...common, 'content-type': type }, body: lastFrame };
  }
  const headers = {
    ...common,
    'content-type': 'application/json',
    'retry-after': '1',
    'content-length': `${json.length}`,
  };
  return { status: failureCodes[failure.code].status, headers, body: json };
}

function render({ status, headers, body }: Reply, date: Date): Buffer {
  const all = { ...headers, 'content-length': `${body.length}`, date: date.toUTCString(), connection: 'keep-alive' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, 'latin1');
}

/** Whether the body is too large to read. HTTP/2 can end a request without closing the connection. */
function isLong({ httpVersionMajor, headers }: IncomingMessage): boolean {
  if (httpVersionMajor > 1) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > maxUnread;
}
