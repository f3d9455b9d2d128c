import type { JsonObject } from '@bufbuild/protobuf';
import { type McpRequestContext, Server } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { Caller } from '#contract/access/caller.ts';
import { isReviewRole, reviewGuides } from '#contract/agent/review-guide.ts';
import { Failure } from '#contract/failure.ts';
import { traceHeader, traceparentOf } from '#contract/tracer.ts';
import { version } from '#gateway/http/version.ts';
import { callTool } from './call-tool.ts';
import { listResources, protocolError, readResource } from './read-resource.ts';
import { resourceKinds } from './resource-kind.ts';
import type { McpService } from './service.ts';
import { type Session, sessionOf } from './session.ts';

const jsonSchemaValidator = new AjvJsonSchemaValidator();
const templates = resourceKinds.map(({ template }) => template);

/** A server for one request. It lists what its caller may use. */
export function serverFor({ era, authInfo }: McpRequestContext, service: McpService): Server {
  const session = sessionOf(authInfo);
  // A client of MCP 2025 needs a session for updates, and there is none, because requests are independent.
  const resources = era === 'modern' ? { subscribe: true } : {};
  const server = new Server(
    { name: 'muster', version },
    { capabilities: { tools: {}, resources }, instructions: instructionsFor(session, service), jsonSchemaValidator },
  );
  server.setRequestHandler('tools/list', () => ({ tools: service.tools().offeredTo(callerOf(session)) }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    callTool(
      {
        name: params.name,
        given: (params.arguments ?? {}) as JsonObject,
        signal: mcpReq.signal,
        trace: traceOf(params._meta) ?? session.trace,
      },
      session,
      service,
    ),
  );
  server.setRequestHandler('resources/list', ({ params }) => listResources(params?.cursor, session, service));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: templates }));
  server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri, session, service));
  return server;
}

/** The client's trace of this call. */
function traceOf(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const given = meta?.[traceHeader];
  return typeof given === 'string' ? traceparentOf(given) : undefined;
}

function callerOf(session: Session): Caller {
  try {
    return session.caller();
  } catch (error) {
    throw protocolError(error);
  }
}

/**
 * The server's instructions for a client: its identity in muster, which a model cannot know otherwise, and the fields
 * that several tools share.
 */
function instructionsFor(session: Session, { tools }: McpService): string {
  const about = 'muster runs coding agents, each a CLI in a tmux window, and reports what each one is doing.';
  try {
    const caller = session.caller();
    return [about, roleOf(caller), tools().sharedFieldsFor(caller), reviewsFor(caller)].filter(Boolean).join(' ');
  } catch (error) {
    if (error instanceof Failure) return about;
    throw error;
  }
}

/** How an agent works in reviews, which its prompt does not say. */
function reviewsFor(caller: Caller): string {
  if (caller.kind === 'person') return '';
  const role = `AGENT_ROLE_${caller.role.toUpperCase()}`;
  return isReviewRole(role) ? `Call claim_doorbells when a line notifies you. ${reviewGuides[role]}` : '';
}

function roleOf(caller: Caller): string {
  if (caller.kind === 'person') return 'Here you act for the person who runs it.';
  const { agentId, role, parentAgentId } = caller;
  const parent = parentAgentId === undefined ? '' : `, a child of ${parentAgentId}`;
  return `You are its agent ${agentId}, with the role ${role}${parent}.`;
}
