import type { Duplex } from 'node:stream';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '#contract/failure.ts';
import { HttpRefusal, isOwnStatus, statusOf } from '#contract/http-status.ts';
import type { Log } from '#contract/process-context.ts';
import { errorBody } from './connect-error.ts';
import { STATUS_CODES } from './node-http.ts';

/** Answers with a failure in Connect's format, with its status. */
export function refuse(reply: FastifyReply, failure: Failure): FastifyReply {
  return reply.code(statusOf(failure)).type('application/json').send(errorBody(failure));
}

/** Answers a path that does not exist. */
export function onUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path = ''] = request.url.split('?');
  return refuse(reply, new HttpRefusal(404, `There is no ${request.method} ${path.slice(0, 200)} here`));
}

/** Answers an error from before a handler ran. A refusal of the framework gets the code of its status. */
export function onError(error: unknown, _request: FastifyRequest, reply: FastifyReply, log?: Log): FastifyReply {
  if (error instanceof Failure) return refuse(reply, error);
  const { statusCode = 500, message } = error as FastifyError;
  if (statusCode < 500) return refuse(reply, refusalUnder(statusCode, message));
  log?.error({ err: error }, 'a request failed unexpectedly');
  return refuse(reply, new Failure('INTERNAL', 'The request failed because of a fault in muster: its log says more'));
}

/** The failure for the framework's status. */
function refusalUnder(status: number, message: string): Failure {
  return isOwnStatus(status) ? new HttpRefusal(status, message) : new Failure('MALFORMED_REQUEST', message);
}

/** Answers a request that is not HTTP, too slow or has too large headers, and closes the connection. */
export function onClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (socket.destroyed || error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  refuseConnection(socket, clientErrors[error.code ?? '']?.() ?? noHttp('Bad Request'));
}

/** Writes a failure directly to a connection, and closes it. */
export function refuseConnection(socket: Duplex, failure: Failure): void {
  const status = statusOf(failure);
  const body = errorBody(failure);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  // Destroyed, not only ended, because the peer could otherwise keep sending.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

function noHttp(why: string): Failure {
  return new Failure('MALFORMED_REQUEST', `The request is not HTTP that can be answered: ${why}`);
}

const clientErrors: Readonly<Record<string, () => Failure>> = {
  ERR_HTTP_REQUEST_TIMEOUT: () => new HttpRefusal(408, 'The request did not arrive in time'),
  HPE_HEADER_OVERFLOW: () => new HttpRefusal(431, 'The headers of the request are larger than 16 KiB'),
  HPE_PAUSED_H2_UPGRADE: () =>
    new HttpRefusal(505, 'This server accepts HTTP/2 only over TLS: use HTTP/1.1 or TLS, or set MUSTER_H2C to on'),
};
