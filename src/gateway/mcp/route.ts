import { createMcpHandler, type McpRequestContext, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure, failureCodes } from '#contract/failure.ts';
import { traceHeader, traceparentOf } from '#contract/tracer.ts';
import { credentialOf, noCredential } from '../credential.ts';
import { refuse } from '../failure-reply.ts';
import { parseJson } from '../json-text.ts';
import { mostRequestBytes } from '../payload.ts';
import { listen, listenedTo, type McpRequest } from './listen.ts';
import { protocolError } from './read-resource.ts';
import { serverFor } from './server.ts';
import type { McpService } from './service.ts';
import { authInfoOf, openSession } from './session.ts';

type Serve = (request: McpRequest, credential: string, address: string) => Promise<Response>;

/** Serves MCP at `/mcp`, to clients of 2025 and of 2026-07-28 alike; each request stands by itself. */
export function routeMcp(app: FastifyInstance, service: McpService): void {
  const serve = serving(service);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: mostRequestBytes },
    (_request, body, done) => done(null, body),
  );
  app.addHook('onRequest', refuseAtTheDoor);
  app.route({
    method: ['POST', 'GET', 'DELETE'],
    url: '/mcp',
    async handler(request, reply) {
      const credential = credentialOf(request.headers.authorization) ?? '';
      const asked = readRequest(request, reply);
      if (asked instanceof Response) return reply.send(asked);
      try {
        const response = await serve(asked, credential, request.ip);
        // HTTP/2 has no such header, and HTTP/1.1 keeps connections anyway.
        response.headers.delete('connection');
        return reply.send(response);
      } catch (error) {
        if (error instanceof Failure && error.code === 'unauthenticated') challenge(reply);
        throw error;
      }
    },
  });
}

/** Serves a request that was read. @throws Failure where its token is not known */
function serving(service: McpService): Serve {
  const factory = (context: McpRequestContext) => serverFor(context, service);
  const onerror = (error: Error) => service.log.debug({ err: error }, 'an MCP request was refused');
  const handler = createMcpHandler(factory, { onerror });
  return async (asked, credential, address) => {
    const trace = traceparentOf(asked.request.headers.get(traceHeader));
    const session = await openSession(credential, address, trace, service);
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

/** Refuses a request without a token, and a body that is not JSON, before it is read. */
async function refuseAtTheDoor(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  if (credentialOf(request.headers.authorization) === undefined) return refuse(challenge(reply), noCredential());
  const { 'content-type': type = '' } = request.headers;
  if (request.method !== 'POST' || /^application\/json *(;|$)/i.test(type)) return undefined;
  const said = `The content type ${JSON.stringify(type)} is not taken here: use application/json`;
  return refuse(reply, new Failure('invalid_argument', said), 415);
}

function challenge(reply: FastifyReply): FastifyReply {
  return reply.header('www-authenticate', 'Bearer');
}

/** The request as the library takes it, or the answer to one that is no JSON. */
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
    return { request: asked, message: parseJson(typeof request.body === 'string' ? request.body : '') };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const said = { code: ProtocolErrorCode.ParseError, message: error.message, data: error.toJSON() };
    return Response.json({ jsonrpc: '2.0', id: null, error: said }, { status: failureCodes[error.code].status });
  }
}
