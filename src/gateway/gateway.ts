import type { IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isIPv6 } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type ConnectRouter, createContextValues } from '@connectrpc/connect';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Bus } from '#bus/bus.ts';
import { addressesOf, isLoopback } from '#contract/access/loopback.ts';
import { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import { operations } from '#contract/table.ts';
import type { Tracer } from '#contract/tracer.ts';
import type { ProcessFigures } from '#contract/wire/figures.ts';
import { Admission, type AdmissionLimits, defaultAdmission } from '#gateway/http/admission.ts';
import type { ConnectionLimits } from '#gateway/http/connection-limiter.ts';
import { originRefusal, pageOriginOf, type RequestOrigin } from '#gateway/http/edges.ts';
import { onClientError, onError, onUnknown, refuse } from '#gateway/http/failure-reply.ts';
import { type ConnectionTimes, type DualServer, dualServer, type Tls } from '#gateway/http/http-server.ts';
import { KnownCallers } from '#gateway/http/known-callers.ts';
import { LiveCredentials } from '#gateway/http/live-credentials.ts';
import { defaultStreamsPerToken, OpenStreams } from '#gateway/http/open-streams.ts';
import { notePeer, peerKey, peerOf } from '#gateway/http/peer.ts';
import { defaultRequestMemory, RequestMemory, type RequestMemoryLimits } from '#gateway/http/request-memory.ts';
import {
  defaultThrottleLimits,
  type ThrottleLimits,
  UnauthenticatedThrottle,
} from '#gateway/http/unauthenticated-throttle.ts';
import { CallTimes } from '#gateway/rpc/call-times.ts';
import { credentialOf } from '#gateway/rpc/credential.ts';
import { FactHints } from '#gateway/rpc/fact-hints.ts';
import { routeOperations } from '#gateway/rpc/handlers.ts';
import { jsonCalls } from '#gateway/rpc/json-call.ts';
import { calledPath, routeCalls } from '#gateway/rpc/rpc-routes.ts';
import { refusingContentTypes } from '#gateway/rpc/unfitting.ts';
import type { MemoryLimits } from '#gateway/rpc/watch/answer-memory.ts';
import { Tails } from '#gateway/rpc/watch/tails.ts';
import { betweenReadsMsOf } from '#gateway/rpc/watch/watch.ts';
import { contractTools, contractWires } from './contract-forms.ts';
import { routeHealth } from './health.ts';
import { listen } from './http/listen.ts';
import { routeJoining } from './join-route.ts';
import { routeMcp } from './mcp/route.ts';
import type { McpService } from './mcp/service.ts';
import { SharedReadings } from './mcp/shared-readings.ts';
import { routeMetrics } from './metrics/route.ts';
import { ProofNonces } from './page/proof-nonces.ts';
import { ProvenSessions } from './page/proven-sessions.ts';
import { routePage } from './page/route.ts';
import { admitSession, type ProofContext } from './page/session-proof.ts';
import { routeSession } from './page/session-route.ts';

/** The options of a gateway. */
export interface GatewayOptions {
  readonly bus: Bus;
  /** An IP address or `localhost`. An address that other computers can reach requires TLS. */
  readonly bind: string;
  /** 0 means any free port. */
  readonly port: number;
  readonly tls?: Tls | undefined;
  /** Whether to accept HTTP/2 without TLS too, as gRPC clients need it. */
  readonly h2c?: boolean;
  /** How many connections may be open. */
  readonly connections?: ConnectionLimits;
  /** How long connections may take. */
  readonly connectionTimes?: ConnectionTimes;
  /** Where callers reach it, such as `https://muster.example`; by default the address that it listens on. */
  readonly baseUrl?: string;
  readonly log: Log;
  readonly tracer?: Tracer | undefined;
  /** The resources that its process uses. */
  readonly processFigures?: () => ProcessFigures;
  /** How long a watch may be silent, in milliseconds. */
  readonly heartbeatMs?: number;
  /** How long a watch waits for an unreachable registry, in milliseconds. */
  readonly patienceMs?: number;
  /** How much of the answers to watches it caches for other watches, and for how long. */
  readonly answersKept?: MemoryLimits;
  /** Maximum number of open watches per token. */
  readonly streamsPerToken?: number;
  /** Maximum number of unknown tokens per address. */
  readonly throttle?: ThrottleLimits;
  /** The folder of the built page; by default `dist/page`. Without a built page, `/` answers with a text. */
  readonly pageFolder?: string;
  /** How many bytes of requests it holds in memory at a time. */
  readonly requestMemory?: RequestMemoryLimits;
  /** How many calls it handles at a time. */
  readonly admission?: AdmissionLimits;
}

/** A running gateway. */
export interface Gateway {
  /** Where it listens, such as `http://127.0.0.1:7433`. */
  readonly url: string;
  /** Ends every watch cleanly and gives running calls 1.5 s to finish. May be called twice. */
  stop(): Promise<void>;
}

const defaultPageFolder = fileURLToPath(new URL('../../dist/page', import.meta.url));
const defaultHeartbeatMs = 15_000;
const defaultPatienceMs = 30_000;
/** Headers of every answer, so that a browser does nothing unintended with it. */
const everyAnswer = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;
/** How long calls may continue after a stop, and how often idle connections are closed meanwhile, in milliseconds. */
const stopWithin = 1_500;
const lookEvery = 25;

/**
 * Starts a gateway: it checks where a request comes from, parses it by the contract, asks the registry over the bus and
 * returns the answer or refusal. It has no state and no domain rules.
 * @throws INVALID_ARGUMENT when the address needs TLS, FAILED_PRECONDITION when the port is taken
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { bus, log, tls } = options;
  const { bind } = options;
  requireTls(bind, tls);
  const stopping = new AbortController();
  const callers = new KnownCallers(bus);
  const proven = new ProvenSessions((credential) => callers.has(credential));
  const admission = new Admission(options.admission ?? defaultAdmission, log, (authorization) =>
    callers.has(credentialOf(authorization) ?? proven.find(authorization) ?? ''),
  );
  const { app, closeIdle, closeAll } = createApp(options, admission);
  app.removeContentTypeParser('text/plain');
  const ownUrl = () => urlOf(app, tls);
  const baseUrl = () => options.baseUrl ?? ownUrl();
  const context: ProofContext = {
    nonces: new ProofNonces(),
    proven,
    pageOriginOf: ({ raw }) => pageOriginOf(requestOriginOf(raw), baseUrl()),
  };
  const gatewayContext: GatewayContext = { baseUrl, onNowhere: onUnknown };
  guard(app, log, context, gatewayContext);
  gatewayContext.onNowhere = routePage(app, { ...context, folder: options.pageFolder ?? defaultPageFolder, baseUrl });
  routeHealth(app, bus);
  const descriptors = contractWires();
  const heartbeatMs = options.heartbeatMs ?? defaultHeartbeatMs;
  const hints = new FactHints(bus);
  const streams = new OpenStreams(options.streamsPerToken ?? defaultStreamsPerToken);
  const service: McpService = {
    bus,
    log,
    hints,
    tails: new Tails(hints, heartbeatMs / 2, () => betweenReadsMsOf(streams.open), options.answersKept),
    live: new LiveCredentials(bus),
    readings: new SharedReadings(hints),
    heartbeatMs,
    patienceMs: options.patienceMs ?? defaultPatienceMs,
    stopping: stopping.signal,
    streams,
    callers,
    throttle: new UnauthenticatedThrottle(options.throttle ?? defaultThrottleLimits, stopping.signal),
    memory: new RequestMemory(options.requestMemory ?? defaultRequestMemory),
    calls: new CallTimes(options.tracer),
    descriptors,
    tools: contractTools,
  };
  routeSession(app, { ...service, ...context });
  routeJoining(app, service);
  const isPublic = ![bind, ...(options.baseUrl === undefined ? [] : [new URL(options.baseUrl).hostname])].every(
    isLoopback,
  );
  routeMetrics(app, { ...service, admission, isPublic, processFigures: options.processFigures });
  await app.register(async (scope) => {
    scope.addHook('onRequest', refusingContentTypes(operations, service));
    scope.addHook('onRequest', unbuffered);
    const connect = {
      routes: (router: ConnectRouter) => routeOperations(router, descriptors, operations, service),
      contextValues: ({ raw }: FastifyRequest) => createContextValues().set(peerKey, peerOf(raw)),
    };
    routeCalls(scope, connect, jsonCalls(descriptors, operations, service));
  });
  await app.register(async (scope) => {
    scope.addHook('onRequest', unbuffered);
    routeMcp(scope, service);
  });
  const closeOthers = await listen(app, addressesOf(bind), options.port);
  const stop = async (): Promise<void> => {
    stopping.abort();
    admission.open();
    const look = setInterval(closeIdle, lookEvery);
    const cut = setTimeout(closeAll, stopWithin);
    try {
      await Promise.all([app.close(), closeOthers()]);
    } finally {
      clearInterval(look);
      clearTimeout(cut);
    }
  };
  let stopped: Promise<void> | undefined;
  return { url: ownUrl(), stop: () => (stopped ??= stop()) };
}

function createApp({ tls, h2c = false, connections, connectionTimes }: GatewayOptions, admission: Admission) {
  let dual: DualServer | undefined;
  const app: FastifyInstance = Fastify({
    serverFactory: (listener) => {
      const guarded = admission.guard(listener);
      const noted: RequestListener = (request, response) => {
        const { socket } = request;
        const showedToken = (credential: string) => dual?.connections.showedToken(socket, credential);
        notePeer(request, { address: socket.remoteAddress ?? '', showedToken });
        guarded(request, response);
      };
      dual = dualServer(noted, admission, {
        tls,
        h2c,
        ...(connections && { limits: connections }),
        ...(connectionTimes && { times: connectionTimes }),
      });
      return dual.server;
    },
    // The limit is for sign-in. Calls are read by their own readers.
    bodyLimit: 1_024,
    clientErrorHandler: onClientError,
    frameworkErrors: (error, request, reply) => onError(error, request, reply),
  });
  return { app, closeIdle: () => dual?.closeIdle(), closeAll: () => dual?.closeAll() };
}

/** The gateway's own address, and its answer to an unknown path. */
interface GatewayContext {
  readonly baseUrl: () => string;
  onNowhere: typeof onUnknown;
}

/** Adds what applies to every path: checks of the origin, logging, and the format of errors. */
function guard(app: FastifyInstance, log: Log, context: ProofContext, gatewayContext: GatewayContext): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(everyAnswer);
    reply.raw.once('close', () => {
      const { method, routeOptions } = request;
      const path = calledPath(request) ?? routeOptions.url ?? 'unknown';
      log.debug({ method, path, status: reply.raw.statusCode, ms: Math.round(reply.elapsedTime) }, 'answered');
    });
    const refusal = originRefusal(requestOriginOf(request.raw), gatewayContext.baseUrl);
    if (refusal !== undefined) return refuse(reply, refusal);
    // Before the framework reads a body that no path accepts.
    return request.is404 ? gatewayContext.onNowhere(request, reply) : admitSession(request, reply, context);
  });
  app.setErrorHandler((error, request, reply) => onError(error, request, reply, log));
  app.setNotFoundHandler((request, reply) => gatewayContext.onNowhere(request, reply));
}

function requestOriginOf({ headers, socket }: IncomingMessage): RequestOrigin {
  return {
    host: headers[':authority']?.toString() ?? headers.host,
    origin: headers.origin,
    localAddress: socket.localAddress,
    localPort: socket.localPort,
    encrypted: 'encrypted' in socket && socket.encrypted === true,
  };
}

/** Asks proxies not to buffer watches: nginx and compatible ones obey this header. */
async function unbuffered(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('x-accel-buffering', 'no');
}

function requireTls(bind: string, tls: Tls | undefined): void {
  if (tls !== undefined || isLoopback(bind)) return;
  throw new Failure(
    'INVALID_SETTING',
    `${JSON.stringify(bind)} can be reached by other machines: give the gateway a certificate and its key, or bind 127.0.0.1`,
  );
}

function urlOf(app: FastifyInstance, tls: Tls | undefined): string {
  const { address, port } = app.server.address() as AddressInfo;
  return `${tls === undefined ? 'http' : 'https'}://${isIPv6(address) ? `[${address}]` : address}:${port}`;
}
