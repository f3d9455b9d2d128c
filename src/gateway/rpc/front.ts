import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { type ContextKey, createContextKey, createContextValues } from '@connectrpc/connect';
import {
  encodeEnvelope,
  type UniversalHandler,
  type UniversalServerRequest,
  type UniversalServerResponse,
} from '@connectrpc/connect/protocol';
import { Failure } from '#contract/failure.ts';
import { statusOf } from '#contract/http-status.ts';
import type { Operation } from '#contract/operation.ts';
import { failureCodes } from '#contract/reason/failure-code.ts';
import type { AuthContext } from '#gateway/http/auth-context.ts';
import { errorBody } from '#gateway/http/connect-error.ts';
import { peerKey } from '#gateway/http/peer.ts';
import { parseWire, type Wire } from '#gateway/http/wire.ts';
import { type Admission, admissionOf, type OperationRequest } from './admit.ts';
import { credentialOf, noCredential } from './credential.ts';
import { limitTimeout } from './deadline.ts';
import { notTaken, unsupported } from './unfitting.ts';

/** The context key of a request's admission. */
export const admissionKey: ContextKey<Admission> = createContextKey<Admission>(
  { refusal: new Failure('INTERNAL', 'The request was not read') },
  { description: 'admission' },
);

const noSideEffects = MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
/** Headers that Connect itself reads and may refuse. */
const readByConnect = ['connect-timeout-ms', 'grpc-timeout', 'connect-protocol-version'] as const;

/**
 * Wraps a Connect handler so that messages are read here. Connect itself would drop unknown names of enum values, and
 * would read the message before the caller is checked. Connect still handles the protocol around the message and writes
 * the answer; it gets an empty message.
 */
export function admitting(handler: UniversalHandler, row: Operation, context: AuthContext): UniversalHandler {
  const answer = async (given: UniversalServerRequest): Promise<UniversalServerResponse> => {
    const request = { ...given, header: new Headers(given.header) };
    const credential = credentialOf(request.header.get('authorization'));
    const wire = wireFor(request, handler);
    // A CORS preflight is answered without a token, as browsers send it.
    if (credential === undefined && wire === undefined) return plainRefusal(unauthenticatedRefusal(request, handler));
    const lease = context.memory.lease(credential ?? '');
    try {
      const admission = await admissionOf(operationRequest(request, row, handler, wire), credential, lease, context);
      if (wire === undefined) {
        return plainRefusal('refusal' in admission ? admission.refusal : unfitting(request, handler));
      }
      const contextValues = (request.contextValues ?? createContextValues()).set(admissionKey, admission);
      // Only the refusal is reported, so Connect must not find another fault.
      if ('refusal' in admission) for (const name of readByConnect) request.header.delete(name);
      else limitTimeout(request.header, handler.method.methodKind === 'server_streaming');
      const response = await handler({ ...withEmptyMessage(request, wire), contextValues });
      // Connect's answer to an unknown content type has no body.
      if (response.status >= 400 && response.body === undefined) return plainRefusal(unfitting(request, handler));
      return underOwnStatus(response, admission);
    } finally {
      lease.end();
    }
  };
  return Object.assign(answer, handler);
}

function operationRequest(
  { header, method, url, body, contextValues }: UniversalServerRequest,
  row: Operation,
  handler: UniversalHandler,
  wire: Wire | undefined,
): OperationRequest {
  return {
    row,
    method: handler.method,
    header,
    peer: contextValues?.get(peerKey) ?? peerKey.defaultValue,
    wire,
    query: method === 'GET' ? new URL(url).searchParams : undefined,
    body: body as AsyncIterable<Uint8Array>,
  };
}

/** How the request encodes its message; undefined if the method does not accept such a request. */
export function wireFor(request: UniversalServerRequest, { method }: UniversalHandler): Wire | undefined {
  const wire =
    request.method === 'GET'
      ? parseWire(`application/${new URL(request.url).searchParams.get('encoding')}`)
      : parseWire(request.header.get('content-type'));
  const streaming = method.methodKind === 'server_streaming';
  if (request.method === 'GET') return !streaming && method.idempotency === noSideEffects ? wire : undefined;
  if (request.method !== 'POST' || wire === undefined) return undefined;
  const isUnaryConnect = !wire.enveloped;
  const isStreamConnect = wire.encodingHeader === 'connect-content-encoding';
  return (streaming ? isUnaryConnect : isStreamConnect) ? undefined : wire;
}

function unauthenticatedRefusal(request: UniversalServerRequest, handler: UniversalHandler): Failure {
  return handler.allowedMethods.includes(request.method) ? noCredential() : unfitting(request, handler);
}

/** Why an operation does not accept a request's method or content type. */
function unfitting({ method, header }: UniversalServerRequest, { allowedMethods }: UniversalHandler): Failure {
  return allowedMethods.includes(method) ? unsupported(header.get('content-type')) : notTaken(method);
}

/** Replaces Connect's status by the more specific HTTP status of a refusal. */
function underOwnStatus(response: UniversalServerResponse, admission: Admission): UniversalServerResponse {
  if (!('refusal' in admission) || response.status !== failureCodes[admission.refusal.code].status) return response;
  return { ...response, status: statusOf(admission.refusal) };
}

/** A refusal for a request in none of Connect's protocols. */
function plainRefusal(refusal: Failure): UniversalServerResponse {
  const header = new Headers({ 'content-type': 'application/json' });
  if (statusOf(refusal) === 405) header.set('allow', 'POST');
  return { status: statusOf(refusal), header, body: once(new TextEncoder().encode(errorBody(refusal))) };
}

/** The request with an empty, uncompressed message. */
function withEmptyMessage(request: UniversalServerRequest, wire: Wire): UniversalServerRequest {
  const header = new Headers(request.header);
  header.delete(wire.encodingHeader);
  if (request.method === 'GET') {
    const url = new URL(request.url);
    url.search = new URLSearchParams({
      connect: 'v1',
      encoding: wire.json ? 'json' : 'proto',
      message: wire.json ? '{}' : '',
    }).toString();
    return { ...request, header, url: url.toString() };
  }
  const message = new TextEncoder().encode(wire.json ? '{}' : '');
  const bytes = wire.enveloped ? encodeEnvelope(0, message) : message;
  header.set('content-length', String(bytes.length));
  return { ...request, header, body: once(bytes) };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
