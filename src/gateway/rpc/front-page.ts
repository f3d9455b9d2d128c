import type { FastifyReply, FastifyRequest } from 'fastify';
import { version } from '#gateway/http/version.ts';

const page = {
  name: 'muster',
  version,
  about: 'muster runs fleets of coding agents. This is its gateway, where programs call it.',
  call: 'POST /<package>.<Service>/<Method> with a JSON body and the header "Authorization: Bearer <token>"',
  example: '/agent.v1.AgentService/ListAgents',
  mcp: 'POST /mcp with the same header, for MCP clients; muster mcp serves the same on standard input and output',
  operations: 'docs/reference/README.md in the repository of muster, or muster rpc --help',
  people: 'muster --help on the machine where it runs; muster ls lists the agents',
  health: '/healthz',
  ready: '/readyz',
} as const;

const text = `${page.name} ${page.version}

${page.about}

A call:          ${page.call}
                 such as POST ${page.example}
As tools:        ${page.mcp}
All operations:  ${page.operations}
For people:      ${page.people}
Does it work:    GET ${page.ready}, which says what does not; ${page.health} while the gateway runs
`;

/** Answers `GET /` for anyone: what this server is, and how to use it. Programs that request JSON get JSON. */
export function onFrontPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { accept = '' } = request.headers;
  reply.header('vary', 'Accept');
  const wantsJson = /\bapplication\/json\b/i.test(accept) && !/\btext\/(?:html|plain)\b/i.test(accept);
  return wantsJson ? reply.send(page) : reply.type('text/plain; charset=utf-8').send(text);
}
