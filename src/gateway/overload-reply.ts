import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodeEnvelope } from '@connectrpc/connect/protocol';
import { Failure, failureCodes } from '#contract/failure.ts';

/** A refused request whose body is larger is not read to its end: its connection is closed. */
const mostUnread = 64 * 1024;
/** gRPC's number for `resource_exhausted`. */
const grpcStatus = '8';

const failure = new Failure(
  'resource_exhausted',
  'More calls come than the gateway can do: wait a second, then try again, with fewer at a time',
);
const json = Buffer.from(JSON.stringify(failure));
const lastFrame = Buffer.from(encodeEnvelope(2, Buffer.from(JSON.stringify({ error: failure }))));
const common = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
const plain = { ...common, 'content-type': 'application/json', 'retry-after': '1' };

/** Refuses a request because there are too many, in the form that its content type asks for, without reading it. */
export function refuseOverload(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-type': type = '' } = request.headers;
  const closing = isLong(request) ? { connection: 'close' } : {};
  if (type.startsWith('application/grpc')) {
    const message = encodeURIComponent(failure.message);
    response.writeHead(200, { ...common, 'content-type': type, 'grpc-status': grpcStatus, 'grpc-message': message });
    response.end();
  } else if (type.startsWith('application/connect+')) {
    response.writeHead(200, { ...common, ...closing, 'content-type': type }).end(lastFrame);
  } else {
    response.writeHead(failureCodes[failure.code].status, { ...plain, ...closing, 'content-length': json.length });
    response.end(json);
  }
}

/** HTTP/2 ends a request without ending its connection. */
function isLong({ httpVersionMajor, headers }: IncomingMessage): boolean {
  if (httpVersionMajor > 1) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > mostUnread;
}
