import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type EarlyRefusal, Http1Connection } from './http1-connection.ts';

/** A certificate and its key, in PEM. */
export interface Tls {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/** How long a caller may take to begin, to say what it wants, and to send it, in milliseconds: the first two 10 s at most. */
const beginWithin = 4_000;
const headersWithin = 6_000;
const requestWithin = 60_000;
const checkEvery = 1_000;
/** How long a connection may rest after all that it asked was refused, in milliseconds. */
const restWithin = 60_000;
/** How many connections may be open. Those that say nothing cost memory alone. */
const mostConnections = 10_000;
/** How an HTTP/2 connection without TLS begins. */
const http2Preface = 'PRI';

/** One server for HTTP/1.1 and HTTP/2 on one port. */
export interface DualServer {
  readonly server: Server;
  /** Ends connections on which nothing is under way. */
  closeIdle(): void;
  /** Ends every connection. */
  closeAll(): void;
}

/**
 * Makes a server that speaks HTTP/1.1 and HTTP/2 on one port: with TLS as the two sides agree, without it as the first bytes say.
 * What `early` refuses never gets to the listener.
 */
export function dualServer(listener: RequestListener, early: EarlyRefusal, tls: Tls | undefined): DualServer {
  const timeouts = {
    headersTimeout: headersWithin,
    requestTimeout: requestWithin,
    connectionsCheckingInterval: checkEvery,
  };
  const server =
    tls === undefined
      ? createServer(timeouts, listener)
      : createHttpsServer({ ...timeouts, ...tls, ALPNProtocols: ['h2', 'http/1.1'] }, listener);
  // HTTP/2's requests and responses have the shape of HTTP/1.1's; only their types differ.
  const http2 = createHttp2Server({ settings: { maxConcurrentStreams: 256 } }, listener as never);
  server.maxConnections = mostConnections;
  const sessions = new Set<ServerHttp2Session>();
  http2.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  const undecided = new Set<Socket>();
  const connections = new WeakMap<Socket, Http1Connection>();
  server.prependListener('request', (request, response) => {
    connections.get(request.socket)?.answers(request, response);
  });
  const connected = tls === undefined ? 'connection' : 'secureConnection';
  const [http1] = server.listeners(connected) as ((this: Server, socket: Socket) => void)[];
  server.removeAllListeners(connected);
  server.on(connected, (socket: Socket) => {
    const takeHttp2 = () => http2.emit('connection', socket);
    if (tls !== undefined && (socket as TLSSocket).alpnProtocol === 'h2') {
      takeHttp2();
      return;
    }
    const connection = new Http1Connection(socket, early);
    connections.set(socket, connection);
    sniff(
      socket,
      undecided,
      tls === undefined,
      (bytes) => connection.refuses(bytes),
      (isHttp2) => {
        if (isHttp2) {
          takeHttp2();
          return;
        }
        http1?.call(server, socket);
        connection.attach(spread(headersWithin), () => server.emit('clientError', tooSlow(), socket));
      },
    );
  });
  return {
    server,
    closeIdle() {
      server.closeIdleConnections();
      for (const session of sessions) session.close();
      for (const socket of undecided) socket.destroy();
    },
    closeAll() {
      server.closeAllConnections();
      for (const session of sessions) session.destroy();
    },
  };
}

let spreads = 0;

/**
 * A time of at most so many milliseconds, each time a little another one: a thousand connections that came together and said
 * nothing are not sent away together, nor come back together, which would hold up everybody else.
 */
function spread(most: number): number {
  spreads += 1;
  return most * (2 / 3 + (spreads % 20) / 60);
}

/** What node tells of a request whose head did not come in time. */
function tooSlow(): Error {
  return Object.assign(new Error('The head of the request did not come in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}

/**
 * Looks at the first bytes of a connection and leaves them where they were. Until then, and while all that comes is refused at
 * once, the connection is undecided: it costs no parser.
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
