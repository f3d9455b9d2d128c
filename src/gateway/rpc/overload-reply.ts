import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import { encodeEnvelope } from '@connectrpc/connect/protocol';
import { Failure, failureCodes } from '#contract/failure.ts';
import { wireOf } from './wire.ts';

/** A refused request whose body is larger is not read to its end: its connection is closed. */
const mostUnread = 64 * 1024;
/** gRPC's number for `resource_exhausted`. */
const grpcStatus = '8';

const failure = new Failure(
  'resource_exhausted',
  'More calls come than the gateway can do: wait a second, then try again, with fewer at a time',
);
const json = JSON.stringify(failure);
const lastFrame = Buffer.from(encodeEnvelope(2, Buffer.from(JSON.stringify({ error: failure })))).toString('latin1');
const common = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** An answer as HTTP writes it; its body is latin1. */
interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Refuses a request because there are too many, in the form that its content type asks for, without reading it. */
export function refuseOverload(request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = replyTo(request.headers['content-type'] ?? '');
  response.writeHead(status, { ...headers, ...(isLong(request) && { connection: 'close' }) });
  response.end(body, 'latin1');
}

/** The same answer as it goes over an HTTP/1.1 connection that stays open; undefined for a content type that no call has. */
export function overloadBytes(contentType: string): Buffer | undefined {
  if (wireOf(contentType) === undefined) return undefined;
  const second = Math.floor(Date.now() / 1000);
  if (second !== rendered.second) rendered = { second, answers: new Map() };
  const known = rendered.answers.get(contentType);
  if (known !== undefined) return known;
  const bytes = render(replyTo(contentType), new Date(second * 1000));
  // As callers may write it in many ways, not all of them are kept.
  if (rendered.answers.size < mostRendered) rendered.answers.set(contentType, bytes);
  return bytes;
}

/** What was rendered in this second, by content type: an answer tells its date. */
let rendered: { readonly second: number; readonly answers: Map<string, Buffer> } = { second: 0, answers: new Map() };
const mostRendered = 32;

function replyTo(type: string): Reply {
  if (type.startsWith('application/grpc')) {
    const message = encodeURIComponent(failure.message);
    const headers = { ...common, 'content-type': type, 'grpc-status': grpcStatus, 'grpc-message': message };
    return { status: 200, headers, body: '' };
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

/** HTTP/2 ends a request without ending its connection. */
function isLong({ httpVersionMajor, headers }: IncomingMessage): boolean {
  if (httpVersionMajor > 1) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > mostUnread;
}
