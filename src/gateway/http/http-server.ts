import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { HttpRefusal } from '#contract/http-status.ts';
import { ConnectionBook, type ConnectionLimits, defaultConnectionLimits } from './connection-book.ts';
import { refuseConnection } from './failure-reply.ts';
import { type EarlyRefusal, Http1Connection } from './http1-connection.ts';
import { defaultSessionTimes, type SessionTimes, tendSession } from './http2-session.ts';
import { StalledWrites } from './stalled-writes.ts';

/** A certificate and its key, in PEM. */
export interface Tls {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/**
 * How long a caller may take to begin, to say what it wants, and to send it, in milliseconds: the first two 10 s at
 * most.
 */
const beginWithin = 4_000;
const headersWithin = 6_000;
const requestWithin = 60_000;
const checkEvery = 1_000;
/** How long a connection may rest after all that it asked was refused, in milliseconds. */
const restWithin = 60_000;
/** How long what is left of a request that was answered may still come, in milliseconds. */
const leftoverWithin = 2_000;
/** When the system begins to ask whether a silent peer is still there, in milliseconds. */
const keepAliveAfter = 30_000;
/** How an HTTP/2 connection without TLS begins. */
const http2Preface = 'PRI';

/** How long connections may take, in milliseconds. */
export interface ConnectionTimes extends SessionTimes {
  /** For the handshake of TLS. */
  readonly handshakeMs: number;
  /** How long a peer may take nothing of what it is sent. */
  readonly stallMs: number;
  /** For all of an answer to one who has not shown a token. */
  readonly unauthenticatedAnswerMs: number;
}

export const defaultConnectionTimes: ConnectionTimes = {
  ...defaultSessionTimes,
  handshakeMs: 10_000,
  stallMs: 60_000,
  unauthenticatedAnswerMs: 60_000,
};

/** What a server speaks, and what it bears. */
export interface DualServerOptions {
  readonly tls?: Tls | undefined;
  /** Whether HTTP/2 is spoken without TLS too. */
  readonly h2c?: boolean;
  readonly limits?: ConnectionLimits;
  readonly times?: ConnectionTimes;
}

/** One server for HTTP/1.1 and HTTP/2 on one port. */
export interface DualServer {
  readonly server: Server;
  readonly connections: ConnectionBook;
  /** Ends connections on which nothing is in progress. */
  closeIdle(): void;
  /** Ends every connection. */
  closeAll(): void;
}

/**
 * Makes a server that speaks HTTP/1.1, and HTTP/2 on the same port: with TLS as the two sides agree, without it, if
 * that is asked for, as the first bytes say. What `early` refuses never gets to the listener.
 */
export function dualServer(
  listener: RequestListener,
  early: EarlyRefusal,
  { tls, h2c = false, limits = defaultConnectionLimits, times = defaultConnectionTimes }: DualServerOptions = {},
): DualServer {
  const server = makeServer(listener, tls, times);
  const connections = new ConnectionBook(limits);
  const stalled = new StalledWrites(times.stallMs);
  server.once('close', () => stalled.stop());
  server.prependListener('connection', (socket: Socket) => connections.add(socket));
  // HTTP/2's requests and responses have the shape of HTTP/1.1's; only their types differ.
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
    // Whom a request was sent to is looked at by the edge, which says what is wrong.
    requireHostHeader: false,
  };
  const server: Server =
    tls === undefined
      ? createServer(options, listener)
      : createHttpsServer(
          { ...options, ...tls, handshakeTimeout: times.handshakeMs, ALPNProtocols: ['h2', 'http/1.1'] },
          listener,
        );
  // Node would have it answered; nobody can be, before both sides have agreed on keys.
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

/** Ends what a peer without a token takes longer for than it may: an answer to it is small. */
function answersWithin(connections: ConnectionBook, ms: number) {
  return (socket: Socket | undefined, response: Closing, whole: { destroy(): unknown }): void => {
    if (socket === undefined || connections.hasShownToken(socket)) return;
    const timer = setTimeout(() => {
      if (!connections.hasShownToken(socket)) whole.destroy();
    }, ms);
    response.once('close', () => clearTimeout(timer));
  };
}

/** What says when it is over. */
interface Closing {
  once(event: 'close', listener: () => void): unknown;
}

/** A request that was answered before all of it came is not read for ever. */
function endLeftover(request: IncomingMessage, response: ServerResponse): void {
  // Of a request whose connection ended first, node takes the socket away.
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
 * A time of at most this many milliseconds, each time a little another one: a thousand connections that came together
 * and said nothing are not sent away together, nor come back together, which would hold up everybody else.
 */
function spread(max: number): number {
  spreads += 1;
  return max * (2 / 3 + (spreads % 20) / 60);
}

/** Node's error for a request whose head did not come in time. */
function tooSlow(): Error {
  return Object.assign(new Error('The headers of the request did not arrive in time'), {
    code: 'ERR_HTTP_REQUEST_TIMEOUT',
  });
}

/**
 * Looks at the first bytes of a connection and leaves them where they were. Until then, and while all that comes is
 * refused at once, the connection is undecided: it costs no parser.
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
