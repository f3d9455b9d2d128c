import { createMcpHandler, type McpRequestContext, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '#contract/failure.ts';
import { HttpRefusal, statusOf } from '#contract/http-status.ts';
import { traceHeader, traceparentOf } from '#contract/tracer.ts';
import { refuse } from '#gateway/http/failure-reply.ts';
import { peerOf } from '#gateway/http/peer.ts';
import { credentialOf, noCredential } from '#gateway/rpc/credential.ts';
import { parseJson } from '#gateway/rpc/json-text.ts';
import { maxRequestBytes, readBody } from '#gateway/rpc/payload.ts';
import { textOf } from '#gateway/rpc/request-message.ts';
import { listen, listenedTo, type McpRequest } from './listen.ts';
import { protocolError } from './read-resource.ts';
import { serverFor } from './server.ts';
import type { McpService } from './service.ts';
import { authInfoOf, openSession, type Session } from './session.ts';

type Serve = (request: McpRequest, session: Session) => Promise<Response>;

/** The maximum size of a request from an unidentified caller while the registry does not answer, in bytes. */
const maxAnonymousBytes = 64 * 1024;

/** Serves MCP at `/mcp`, for clients of MCP 2025 and 2026-07-28. Each request is independent. */
export function routeMcp(app: FastifyInstance, service: McpService): void {
  const serve = serving(service);
  const sessions = new WeakMap<FastifyRequest, Session>();
  const sessionOf = (request: FastifyRequest): Session => {
    const session = sessions.get(request);
    if (session === undefined) throw new Error('An MCP request arrived without its session');
    return session;
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request: FastifyRequest, payload: AsyncIterable<Uint8Array>) => {
    const { credential, isIdentified } = sessionOf(request);
    const lease = service.memory.lease(credential);
    request.raw.once('close', () => lease.end());
    const incoming = { stream: payload, contentLength: request.headers['content-length'] };
    return readBody(incoming, isIdentified ? maxRequestBytes : maxAnonymousBytes, lease);
  });
  // The caller is identified before the body is read.
  app.addHook('onRequest', async (request, reply) => {
    const refusal = await refuseBeforeBody(request, service, (session) => sessions.set(request, session));
    if (refusal === undefined) return undefined;
    return refuse(refusal.code === 'unauthenticated' ? challenge(reply) : reply, refusal);
  });
  app.route({
    method: ['POST', 'GET', 'DELETE'],
    url: '/mcp',
    async handler(request, reply) {
      const asked = readRequest(request, reply);
      if (asked instanceof Response) return reply.send(asked);
      const response = await serve(asked, sessionOf(request));
      // HTTP/2 does not allow this header, and HTTP/1.1 keeps connections alive anyway.
      response.headers.delete('connection');
      return reply.send(response);
    },
  });
}

/** Handles a parsed request. */
function serving(service: McpService): Serve {
  const factory = (context: McpRequestContext) => serverFor(context, service);
  const onerror = (error: Error) => service.log.debug({ err: error }, 'an MCP request was refused');
  const handler = createMcpHandler(factory, { onerror });
  return async (asked, session) => {
    const uris = listenedTo(asked.message);
    if (uris === undefined) {
      return handler.fetch(asked.request, { authInfo: authInfoOf(session), parsedBody: asked.message });
    }
    try {
      return await listen(uris, asked, session, factory, service);
    } catch (error) {
      const { code, message, data } = protocolError(error);
      const { id = null } = asked.message as { readonly id?: string | number };
      return Response.json({ jsonrpc: '2.0', id, error: { code, message, data } });
    }
  };
}

/** Identifies the caller; returns why the request is refused before its body is read, if it is. */
async function refuseBeforeBody(
  request: FastifyRequest,
  service: McpService,
  admit: (session: Session) => void,
): Promise<Failure | undefined> {
  const credential = credentialOf(request.headers.authorization);
  if (credential === undefined) return noCredential();
  const { 'content-type': type = '', [traceHeader]: trace } = request.headers;
  try {
    const peer = peerOf(request.raw);
    admit(await openSession(credential, peer, traceparentOf(typeof trace === 'string' ? trace : undefined), service));
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  if (request.method !== 'POST' || /^application\/json *(;|$)/i.test(type)) return undefined;
  return new HttpRefusal(415, `The content type ${JSON.stringify(type)} is not accepted here: use application/json`);
}

function challenge(reply: FastifyReply): FastifyReply {
  return reply.header('www-authenticate', 'Bearer');
}

/** The request for the MCP library, or the answer to one that is not JSON. */
function readRequest(request: FastifyRequest, reply: FastifyReply): McpRequest | Response {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && !name.startsWith(':')) headers.set(name, value);
  }
  const asked = new Request('http://localhost/mcp', { method: request.method, headers, signal: gone.signal });
  if (request.method !== 'POST') return { request: asked, message: undefined };
  try {
    return {
      request: asked,
      // Numbers stay numbers, so that one in place of a text is refused.
      message: parseJson(textOf(request.body instanceof Uint8Array ? request.body : new Uint8Array()), {
        plainNumbers: true,
      }),
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const said = { code: ProtocolErrorCode.ParseError, message: error.message, data: error.toJSON() };
    return Response.json({ jsonrpc: '2.0', id: null, error: said }, { status: statusOf(error) });
  }
}
