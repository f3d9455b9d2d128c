import type { DescMethod } from '@bufbuild/protobuf';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { refusePeopleOnly, requireOffer } from '#contract/offer.ts';
import type { Operation } from '#contract/operation.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import type { Log } from '#contract/process-context.ts';
import type { AuthContext } from '#gateway/http/auth-context.ts';
import type { HeaderReader } from '#gateway/http/header-reader.ts';
import type { Peer } from '#gateway/http/peer.ts';
import type { MemoryLease } from '#gateway/http/request-memory.ts';
import type { Wire } from '#gateway/http/wire.ts';
import type { CallerCall } from './ask.ts';
import { noCredential } from './credential.ts';
import { timeoutIn, validTimeoutIn } from './deadline.ts';
import { readPayload, readQuery } from './payload.ts';
import { readMessage } from './request-message.ts';

/** A request for an operation. */
export interface OperationRequest {
  readonly row: Operation;
  readonly method: DescMethod;
  readonly header: HeaderReader;
  readonly peer: Peer;
  /** How the request encodes its message; undefined if the operation does not accept such a request. */
  readonly wire: Wire | undefined;
  /** The query of a GET, which has the message in it. */
  readonly query: URLSearchParams | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

/** The result of checking a request before its handler runs: the call to make, or its refusal. */
export type Admission = { readonly call: CallerCall | undefined } | { readonly refusal: Failure };

/**
 * Checks a request: first the caller, then whether the operation is offered to them, and only then the message. Without
 * a wire, only the first two are checked.
 */
export async function admissionOf(
  request: OperationRequest,
  credential: string | undefined,
  lease: MemoryLease,
  context: AuthContext,
): Promise<Admission> {
  if (credential === undefined) return { refusal: noCredential() };
  try {
    return { call: await admit(request, credential, lease, context) };
  } catch (error) {
    return { refusal: refusalOf(error, context.log) };
  }
}

function refusalOf(error: unknown, log: Log): Failure {
  if (error instanceof Failure) return error;
  log.error({ err: error }, 'a request could not be read because of a fault');
  return new Failure('INTERNAL', 'The request could not be read because of a fault in muster');
}

/** @throws Failure of the first check that fails */
async function admit(
  request: OperationRequest,
  credential: string,
  lease: MemoryLease,
  context: AuthContext,
): Promise<CallerCall | undefined> {
  const { row, method, header, peer, wire, query } = request;
  return forCaller(credential, peer, validTimeoutIn(header), context, async (caller) => {
    requireOffer(row, caller);
    if (wire === undefined) return undefined;
    timeoutIn(header, method.methodKind === 'server_streaming');
    refuseOtherVersion(header, query);
    const bytes = await (query === undefined ? readPayload(request, wire, lease) : readQuery(query, lease));
    const explain = (given: unknown) => parseRequest(row.request, given);
    const permit = (given: unknown) => refusePeopleOnly(row, caller, given);
    const message = readMessage(method.input, bytes, wire.json, {
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

/** Refuses other versions of Connect's protocol, in which the same bytes may have another meaning. */
function refuseOtherVersion(header: HeaderReader, query: URLSearchParams | undefined): void {
  const inHeader = header.get('connect-protocol-version') ?? '1';
  const inQuery = query?.get('connect') || 'v1';
  if (inHeader === '1' && inQuery === 'v1') return;
  const given = JSON.stringify(inHeader === '1' ? inQuery : inHeader);
  throw new Failure('UNSUPPORTED_PROTOCOL_VERSION', `${given} is not a known version of Connect's protocol: use 1`);
}
