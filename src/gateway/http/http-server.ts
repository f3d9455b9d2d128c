import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { HttpRefusal } from '#contract/http-status.ts';
import { ConnectionLimiter, type ConnectionLimits, defaultConnectionLimits } from './connection-limiter.ts';
import { refuseConnection } from './failure-reply.ts';
import { type EarlyRefusal, Http1Connection } from './http1-connection.ts';
import { defaultSessionTimes, type SessionTimes, tendSession } from './http2-session.ts';
import { createServer } from './node-http.ts';
import { StalledWrites } from './stalled-writes.ts';

/** A certificate and its key, in PEM. */
export interface Tls {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/**
 * How long a caller may take for the first bytes, for the headers and for the body, in milliseconds: for the first two
 * together at most 10 s.
 */
const beginWithin = 4_000;
const headersWithin = 6_000;
const requestWithin = 60_000;
const checkEvery = 1_000;
/** How long a connection may be idle after all its requests were refused, in milliseconds. */
const restWithin = 60_000;
/** How long the rest of an already answered request may take to arrive, in milliseconds. */
const leftoverWithin = 2_000;
/** After how long a silent connection gets TCP keep-alive probes, in milliseconds. */
const keepAliveAfter = 30_000;
/** The first bytes of an HTTP/2 connection without TLS. */
const http2Preface = 'PRI';

/** How long connections may take, in milliseconds. */
export interface ConnectionTimes extends SessionTimes {
  /** For the TLS handshake. */
  readonly handshakeMs: number;
  /** How long a peer may accept no data. */
  readonly stallMs: number;
  /** For the whole answer to a peer without a verified token. */
  readonly unauthenticatedAnswerMs: number;
}

export const defaultConnectionTimes: ConnectionTimes = {
  ...defaultSessionTimes,
  handshakeMs: 10_000,
  stallMs: 60_000,
  unauthenticatedAnswerMs: 60_000,
};

/** The protocols and limits of a server. */
export interface DualServerOptions {
  readonly tls?: Tls | undefined;
  /** Whether to accept HTTP/2 without TLS too. */
  readonly h2c?: boolean;
  readonly limits?: ConnectionLimits;
  readonly times?: ConnectionTimes;
}

/** One server for HTTP/1.1 and HTTP/2 on one port. */
export interface DualServer {
  readonly server: Server;
  readonly connections: ConnectionLimiter;
  /** Closes idle connections. */
  closeIdle(): void;
  /** Closes every connection. */
  closeAll(): void;
}

/**
 * Creates a server for HTTP/1.1 and HTTP/2 on the same port: with TLS by negotiation, without TLS, if `h2c` is set, by
 * the first bytes. Requests that `early` refuses do not reach the listener.
 */
export function dualServer(
  listener: RequestListener,
  early: EarlyRefusal,
  { tls, h2c = false, limits = defaultConnectionLimits, times = defaultConnectionTimes }: DualServerOptions = {},
): DualServer {
  const server = makeServer(listener, tls, times);
  const connections = new ConnectionLimiter(limits);
  const stalled = new StalledWrites(times.stallMs);
  server.once('close', () => stalled.stop());
  server.prependListener('connection', (socket: Socket) => connections.add(socket));
  // HTTP/2's requests and responses are compatible with HTTP/1.1's, except for their types.
  const http2 = createHttp2Server({ settings: { maxConcurrentStreams: 256 } }, listener as never);
  const sessions = new Set<ServerHttp2Session>();
  let newest: ServerHttp2Session | undefined;
  http2.on('session', (session) => {
    newest = session;
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  http2.on('stream', (stream) => stalled.watch(stream));
  const limitAnswer = answersWithin(connections, times.unauthenticatedAnswerMs);
  http2.on('request', (request, response) => limitAnswer(request.stream.session?.socket, response, request.stream));
  const takeHttp2 = (socket: Socket) => {
    http2.emit('connection', socket);
    if (newest !== undefined) tendSession(newest, socket, () => connections.hasShownToken(socket), times);
    newest = undefined;
  };
  const undecided = new Set<Socket>();
  const before = new WeakMap<Socket, Http1Connection>();
  server.prependListener('request', (request, response) => {
    before.get(request.socket)?.answers(request, response);
    limitAnswer(request.socket, response, request.socket);
    endLeftover(request, response);
  });
  const connected = tls === undefined ? 'connection' : 'secureConnection';
  const http1 = (server.listeners(connected) as ((this: Server, socket: Socket) => void)[]).at(-1);
  if (http1 !== undefined) server.off(connected, http1);
  server.on(connected, (socket: Socket) => {
    stalled.watch(socket);
    if (tls !== undefined && (socket as TLSSocket).alpnProtocol === 'h2') return takeHttp2(socket);
    const connection = new Http1Connection(socket, early);
    before.set(socket, connection);
    sniff(
      socket,
      undecided,
      tls === undefined && h2c,
      (bytes) => connection.refuses(bytes),
      (isHttp2) => {
        if (isHttp2) return takeHttp2(socket);
        http1?.call(server, socket);
        connection.attach(spread(headersWithin), () => server.emit('clientError', tooSlow(), socket));
      },
    );
  });
  return {
    server,
    connections,
    closeIdle() {
      server.closeIdleConnections();
      for (const session of sessions) session.close();
      for (const socket of undecided) socket.destroy();
    },
    closeAll() {
      server.closeAllConnections();
      for (const session of sessions) session.destroy();
      connections.endAll();
    },
  };
}

function makeServer(listener: RequestListener, tls: Tls | undefined, times: ConnectionTimes): Server {
  const options = {
    headersTimeout: headersWithin,
    requestTimeout: requestWithin,
    connectionsCheckingInterval: checkEvery,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveAfter,
    // edges.ts checks the Host header, with a better message.
    requireHostHeader: false,
  };
  const server: Server =
    tls === undefined
      ? createServer(options, listener)
      : createHttpsServer(
          { ...options, ...tls, handshakeTimeout: times.handshakeMs, ALPNProtocols: ['h2', 'http/1.1'] },
          listener,
        );
  // Node would answer with HTTP, which is impossible before the TLS handshake has completed.
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (_error: Error, socket: Socket) => socket.destroy());
  server.on('checkExpectation', (_request, response: ServerResponse) => refuseExpectation(response));
  server.on('connect', (_request, socket: Duplex) => refuseConnection(socket, notHere('CONNECT')));
  return server;
}

function notHere(method: string): HttpRefusal {
  return new HttpRefusal(404, `There is nothing for ${method} here`);
}

function refuseExpectation(response: ServerResponse): void {
  const refusal = new HttpRefusal(417, 'The header Expect may only be 100-continue');
  response.writeHead(refusal.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(refusal));
}

/** Limits the time of answers to peers without a verified token. These answers are small. */
function answersWithin(connections: ConnectionLimiter, ms: number) {
  return (socket: Socket | undefined, response: CloseEmitter, whole: { destroy(): unknown }): void => {
    if (socket === undefined || connections.hasShownToken(socket)) return;
    const timer = setTimeout(() => {
      if (!connections.hasShownToken(socket)) whole.destroy();
    }, ms);
    response.once('close', () => clearTimeout(timer));
  };
}

/** Something that emits `close`. */
interface CloseEmitter {
  once(event: 'close', listener: () => void): unknown;
}

/** Limits how long the rest of an already answered request is read. */
function endLeftover(request: IncomingMessage, response: ServerResponse): void {
  // Node removes the socket of a request whose connection has ended.
  const { socket } = request;
  response.once('finish', () => {
    if (request.complete || socket.destroyed) return;
    const timer = setTimeout(() => {
      if (!request.complete) socket.destroy();
    }, leftoverWithin);
    socket.once('close', () => clearTimeout(timer));
  });
}

let spreads = 0;

/**
 * A random time of at most this many milliseconds, so that a thousand silent connections that were opened together are
 * not closed together, and do not return together, which would delay everybody else.
 */
function spread(max: number): number {
  spreads += 1;
  return max * (2 / 3 + (spreads % 20) / 60);
}

/** Node's error for a request whose headers did not arrive in time. */
function tooSlow(): Error {
  return Object.assign(new Error('The headers of the request did not arrive in time'), {
    code: 'ERR_HTTP_REQUEST_TIMEOUT',
  });
}

/**
 * Peeks at the first bytes of a connection to choose the protocol. Until then, and as long as all requests are refused
 * early, the connection needs no parser.
 */
function sniff(
  socket: Socket,
  undecided: Set<Socket>,
  mayBeHttp2: boolean,
  refuses: (bytes: Buffer) => boolean,
  take: (isHttp2: boolean) => void,
): void {
  undecided.add(socket);
  const giveUp = () => socket.destroy();
  let timer = setTimeout(giveUp, spread(beginWithin));
  let seen: Buffer = Buffer.alloc(0);
  const look = (): void => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
    const start = mayBeHttp2 ? seen.toString('latin1', 0, http2Preface.length) : '';
    if (mayBeHttp2 && start.length < http2Preface.length && http2Preface.startsWith(start)) return;
    if (start !== http2Preface && refuses(seen)) {
      seen = Buffer.alloc(0);
      clearTimeout(timer);
      timer = setTimeout(giveUp, restWithin);
      return;
    }
    forget();
    socket.unshift(seen);
    take(start === http2Preface);
  };
  const forget = (): void => {
    clearTimeout(timer);
    undecided.delete(socket);
    socket.off('readable', look);
    socket.off('end', giveUp);
    socket.off('error', giveUp);
    socket.off('close', forget);
  };
  socket.on('readable', look);
  socket.on('end', giveUp);
  socket.on('error', giveUp);
  socket.on('close', forget);
}
