import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { type ContextKey, createContextKey, createContextValues } from '@connectrpc/connect';
import {
  encodeEnvelope,
  type UniversalHandler,
  type UniversalServerRequest,
  type UniversalServerResponse,
} from '@connectrpc/connect/protocol';
import type { Bus } from '#bus/bus.ts';
import { Failure } from '#contract/failure.ts';
import type { Operation } from '#contract/operation.ts';
import { parseRequest } from '#contract/parse.ts';
import type { Log } from '#contract/process-context.ts';
import { askCaller, type OperationCall } from './ask.ts';
import { credentialOf, noCredential } from './credential.ts';
import { clampDeadline } from './deadline.ts';
import { readPayload, readQuery, TooLarge } from './payload.ts';
import { readMessage } from './request-message.ts';
import { addressKey, type Strangers } from './strangers.ts';
import { type Wire, wireOf } from './wire.ts';

/** What became of a request before its handler runs: a call to make, or why it is refused. */
export type Admission = { readonly call: OperationCall } | { readonly refusal: Failure };

/** Where a handler finds the admission of its request. */
export const admissionKey: ContextKey<Admission> = createContextKey<Admission>(
  { refusal: new Failure('internal', 'The request was not read') },
  { description: 'admission' },
);

/** What a request is admitted with. */
export interface Door {
  readonly bus: Bus;
  readonly log: Log;
  readonly strangers: Strangers;
}

const noSideEffects = MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;

/**
 * Puts the reading of requests before a Connect handler. Connect itself reads the protocol around the message and writes
 * the answer; the message is read here, because Connect drops unknown names of enum values, and because a request that
 * cannot be read is refused as such only to a caller who has shown who it is. The handler is given an empty message.
 */
export function admitting(handler: UniversalHandler, row: Operation, door: Door): UniversalHandler {
  const answer = async (request: UniversalServerRequest): Promise<UniversalServerResponse> => {
    const wire = wireFor(request, handler);
    if (wire === undefined) return explained(await handler(request), request);
    const header = new Headers(request.header);
    const admission = await admit({ ...request, header }, wire, handler, row, door);
    const contextValues = (request.contextValues ?? createContextValues()).set(admissionKey, admission);
    const response = await handler({ ...emptied({ ...request, header }, wire), contextValues });
    const tooLarge = 'refusal' in admission && admission.refusal instanceof TooLarge && response.status === 429;
    return explained(tooLarge ? { ...response, status: 413 } : response, request);
  };
  return Object.assign(answer, handler);
}

/** How the request carries its message; undefined where the method takes no such request. */
function wireFor(request: UniversalServerRequest, { method }: UniversalHandler): Wire | undefined {
  const wire =
    request.method === 'GET'
      ? wireOf(`application/${new URL(request.url).searchParams.get('encoding')}`)
      : wireOf(request.header.get('content-type'));
  const streaming = method.methodKind === 'server_streaming';
  if (request.method === 'GET') return !streaming && method.idempotency === noSideEffects ? wire : undefined;
  if (request.method !== 'POST' || wire === undefined) return undefined;
  const isUnaryConnect = !wire.enveloped;
  const isStreamConnect = wire.encodingHeader === 'connect-content-encoding';
  return (streaming ? isUnaryConnect : isStreamConnect) ? undefined : wire;
}

async function admit(
  request: UniversalServerRequest,
  wire: Wire,
  { method }: UniversalHandler,
  row: Operation,
  { bus, log, strangers }: Door,
): Promise<Admission> {
  const credential = credentialOf(request.header.get('authorization'));
  if (credential === undefined) return { refusal: noCredential() };
  try {
    clampDeadline(request.header, method.methodKind === 'server_streaming');
    refuseOtherVersion(request);
    const isGet = request.method === 'GET';
    const bytes = await (isGet ? readQuery(new URL(request.url).searchParams) : readPayload(request, wire));
    const check = (given: unknown) => parseRequest(row.request, given);
    return { call: { credential, request: check(readMessage(method.input, bytes, wire.json, check)) } };
  } catch (error) {
    const refusal = refusalOf(error, log);
    const address = request.contextValues?.get(addressKey) ?? '';
    return {
      refusal: (await strangerRefusal(() => strangers.admit(address, () => askCaller(bus, credential)))) ?? refusal,
    };
  }
}

/** A later version of Connect's protocol may mean something else by the same bytes. */
function refuseOtherVersion({ header, url, method }: UniversalServerRequest): void {
  const inHeader = header.get('connect-protocol-version') ?? '1';
  const inQuery = (method === 'GET' && new URL(url).searchParams.get('connect')) || 'v1';
  if (inHeader === '1' && inQuery === 'v1') return;
  const given = JSON.stringify(inHeader === '1' ? inQuery : inHeader);
  throw new Failure('invalid_argument', `${given} is no version of Connect's protocol that is known here: use 1`);
}

function refusalOf(error: unknown, log: Log): Failure {
  if (error instanceof Failure) return error;
  log.error({ err: error }, 'a request could not be read for a reason that nobody foresaw');
  return new Failure('internal', 'The request could not be read because of a fault in muster');
}

/** A caller whose token is not good is told that, and nothing of what is wrong with its request. */
async function strangerRefusal(check: () => Promise<unknown>): Promise<Failure | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error instanceof Failure ? error : new Failure('internal', 'The caller could not be checked');
  }
}

/** The same request with an empty message, uncompressed. */
function emptied(request: UniversalServerRequest, wire: Wire): UniversalServerRequest {
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

/** Gives a body in Connect's shape to an answer that Connect leaves without one. */
function explained(response: UniversalServerResponse, request: UniversalServerRequest): UniversalServerResponse {
  if (response.status < 400 || response.body !== undefined) return response;
  const failure =
    response.status === 405
      ? new Failure('unimplemented', `The operation does not take ${request.method}: use POST`)
      : new Failure('invalid_argument', unsupported(request.header.get('content-type')));
  const header = new Headers(response.header);
  header.set('content-type', 'application/json');
  return { ...response, header, body: once(new TextEncoder().encode(JSON.stringify(failure))) };
}

/** Says which content types an operation takes. */
export function unsupported(contentType: string | null | undefined): string {
  return (
    `The content type ${JSON.stringify(contentType ?? '')} is not taken here: use application/json, or application/proto, ` +
    'for a watch application/connect+json or application/connect+proto, or those of gRPC and gRPC-Web'
  );
}
