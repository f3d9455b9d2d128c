import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Failure, type FailureCode, failureCodes } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';

/** Answers with a failure in Connect's shape, under the status of its code where no other is given. */
export function refuse(
  reply: FastifyReply,
  failure: Failure,
  status: number = failureCodes[failure.code].status,
): FastifyReply {
  return reply.code(status).type('application/json').send(JSON.stringify(failure));
}

/** Answers a path that leads nowhere. */
export function onUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path = ''] = request.url.split('?');
  return refuse(reply, new Failure('unimplemented', `There is no ${request.method} ${path.slice(0, 200)} here`), 404);
}

/** Answers what went wrong before a handler ran: the status is the framework's, the shape is Connect's. */
export function onError(error: unknown, _request: FastifyRequest, reply: FastifyReply, log?: Log): FastifyReply {
  if (error instanceof Failure) return refuse(reply, error);
  const { statusCode: status = 500, message } = error as FastifyError;
  if (status < 500) return refuse(reply, new Failure(codeOf(status), message), status);
  log?.error({ err: error }, 'a request failed for a reason that nobody foresaw');
  return refuse(reply, new Failure('internal', 'The request failed because of a fault in muster: its log says more'));
}

/** Answers what is no HTTP, or comes too slowly or with headers that are too large, and ends the connection. */
export function onClientError(error: Error & { code?: string }, socket: Socket): void {
  if (socket.destroyed || error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, reason] = clientErrors[error.code ?? ''] ?? ([400, 'Bad Request'] as const);
  const body = JSON.stringify(new Failure(codeOf(status), `The request is no HTTP that can be answered: ${reason}`));
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Not only ended: the other side could then go on sending for as long as it likes.
  socket.destroySoon();
}

const clientErrors: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
};

function codeOf(status: number): FailureCode {
  if (status === 408) return 'deadline_exceeded';
  return status === 413 || status === 431 ? 'resource_exhausted' : 'invalid_argument';
}
