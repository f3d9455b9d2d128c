import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** A certificate and its key, in PEM. */
export interface Tls {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/** How long a caller may take to begin, to say what it wants, and to send it, in milliseconds: the first two 10 s at most. */
const beginWithin = 3_000;
const headersWithin = 6_000;
const requestWithin = 60_000;
const checkEvery = 1_000;
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

/** Makes a server that speaks HTTP/1.1 and HTTP/2 on one port: with TLS as the two sides agree, without it as the first bytes say. */
export function dualServer(listener: RequestListener, tls: Tls | undefined): DualServer {
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
  const connected = tls === undefined ? 'connection' : 'secureConnection';
  const [http1] = server.listeners(connected) as ((this: Server, socket: Socket) => void)[];
  server.removeAllListeners(connected);
  server.on(connected, (socket: Socket) => {
    const take = (isHttp2: boolean) => (isHttp2 ? http2.emit('connection', socket) : http1?.call(server, socket));
    if (tls === undefined) sniff(socket, undecided, take);
    else take((socket as TLSSocket).alpnProtocol === 'h2');
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

/** Looks at the first bytes of a connection and leaves them where they were. Until then the connection is undecided. */
function sniff(socket: Socket, undecided: Set<Socket>, take: (isHttp2: boolean) => void): void {
  undecided.add(socket);
  const giveUp = () => socket.destroy();
  const timer = setTimeout(giveUp, beginWithin);
  let seen = Buffer.alloc(0);
  const look = (): void => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    seen = Buffer.concat([seen, chunk]);
    const start = seen.toString('latin1', 0, http2Preface.length);
    if (start.length < http2Preface.length && http2Preface.startsWith(start)) return;
    forget();
    socket.unshift(seen);
    take(start === http2Preface);
  };
  const forget = (): void => {
    clearTimeout(timer);
    undecided.delete(socket);
    socket.off('readable', look);
    socket.off('error', giveUp);
    socket.off('close', forget);
  };
  socket.on('readable', look);
  socket.on('error', giveUp);
  socket.on('close', forget);
}
