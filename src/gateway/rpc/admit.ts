import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import type { UniversalHandler, UniversalServerRequest } from '@connectrpc/connect/protocol';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { refusePeopleOnly, requireOffer } from '#contract/offer.ts';
import type { Operation } from '#contract/operation.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import type { Log } from '#contract/process-context.ts';
import type { AuthContext } from '#gateway/http/auth-context.ts';
import { type Peer, peerKey } from '#gateway/http/peer.ts';
import type { MemoryLease } from '#gateway/http/request-memory.ts';
import { parseWire, type Wire } from '#gateway/http/wire.ts';
import type { CallerCall } from './ask.ts';
import { clampDeadline, deadlineIn } from './deadline.ts';
import { readPayload, readQuery } from './payload.ts';
import { readMessage } from './request-message.ts';

const noSideEffects = MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;

/** A request for an operation, with a credential. */
export interface CredentialedRequest {
  readonly request: UniversalServerRequest;
  readonly row: Operation;
  readonly handler: UniversalHandler;
  readonly credential: string;
}

/**
 * Checks a request: first the caller, then whether the operation is offered to them, and only then the message.
 * @param wire how the request encodes its message; undefined if the operation does not accept such a request, so that
 *   only the caller and the offer are checked
 * @throws Failure of the first check that fails
 */
export async function admit(
  { request, row, handler, credential }: CredentialedRequest,
  wire: Wire | undefined,
  lease: MemoryLease,
  context: AuthContext,
): Promise<CallerCall | undefined> {
  const peer = request.contextValues?.get(peerKey) ?? peerKey.defaultValue;
  return forCaller(credential, peer, deadlineIn(request.header), context, async (caller) => {
    requireOffer(row, caller);
    if (wire === undefined) return undefined;
    clampDeadline(request.header, handler.method.methodKind === 'server_streaming');
    refuseOtherVersion(request);
    const isGet = request.method === 'GET';
    const bytes = await (isGet
      ? readQuery(new URL(request.url).searchParams, lease)
      : readPayload(request, wire, lease));
    const explain = (given: unknown) => parseRequest(row.request, given);
    const permit = (given: unknown) => refusePeopleOnly(row, caller, given);
    const message = readMessage(handler.method.input, bytes, wire.json, {
      explain,
      permit,
      isStrict: row.refusesUnknownFields === true,
    });
    return { credential, caller, request: parseRequest(row.request, message) };
  });
}

/**
 * Does work for the holder of a credential. If the work fails for a caller who was only cached, the registry is
 * asked again, so that a caller whose token was revoked meanwhile learns nothing else about the request.
 * @throws UNAUTHENTICATED, and whatever the work throws
 */
export async function forCaller<T>(
  credential: string,
  peer: Peer,
  timeoutMs: number | undefined,
  { callers, throttle, log }: AuthContext,
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const ask = () => throttle.admit(peer.address, () => callers.ask(credential, timeoutMs));
  const recalled = callers.recall(credential);
  const caller = recalled ?? (await ask());
  peer.showedToken(credential);
  try {
    return await work(caller);
  } catch (error) {
    if (recalled !== undefined) await ask();
    noteForbidden(error, caller, log);
    throw error;
  }
}

/** Logs that a caller was not allowed an operation. The registry logs its own refusals. */
export function noteForbidden(error: unknown, caller: Caller, log: Log): void {
  if (!(error instanceof Failure) || error.code !== 'permission_denied') return;
  const by = caller.kind === 'person' ? 'person' : caller.agentId;
  log.warn({ by, why: error.message }, 'a caller was not allowed an operation');
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

/** Refuses other versions of Connect's protocol, in which the same bytes may have another meaning. */
function refuseOtherVersion({ header, url, method }: UniversalServerRequest): void {
  const inHeader = header.get('connect-protocol-version') ?? '1';
  const inQuery = (method === 'GET' && new URL(url).searchParams.get('connect')) || 'v1';
  if (inHeader === '1' && inQuery === 'v1') return;
  const given = JSON.stringify(inHeader === '1' ? inQuery : inHeader);
  throw new Failure('UNSUPPORTED_PROTOCOL_VERSION', `${given} is not a known version of Connect's protocol: use 1`);
}
