import type { JsonObject } from '@bufbuild/protobuf';
import type { Bus } from '#bus/bus.ts';
import { requestWithFailover } from '#bus/request-with-failover.ts';
import { operationSubject } from '#bus/subjects.ts';
import type { Caller } from '#contract/access/caller.ts';
import type { Operation } from '#contract/operation.ts';

/** A call for the registry: the credential (the SHA-256 of the token), and the parsed request. */
export interface OperationCall {
  readonly credential: string;
  readonly request: unknown;
  /** Whether the answer is shared with other callers: it then omits what only this caller may see. */
  readonly shared?: boolean;
}

/** A call whose caller is known. */
export interface CallerCall extends Omit<OperationCall, 'shared'> {
  readonly caller: Caller;
}

/** How long a registry may be silent about a call, in milliseconds, before it counts as dead or hung. */
const silenceMs = 3_000;
/** Maximum number of registries that are tried for an operation that only reads, if they die during it. */
const maxTries = 3;

/**
 * Requests an operation from the registry, and returns the answer in protobuf's JSON. If a registry dies over an
 * operation that only reads, another one is asked.
 * @throws Failure of the registry, or of the bus when the registry cannot be reached; RESPONDER_LOST when it died, and
 *   the operation may have been done
 */
export async function askOperation(
  bus: Bus,
  row: Operation,
  { credential, request, shared = false }: OperationCall,
  timeoutMs: number,
): Promise<JsonObject> {
  const call = shared ? { credential, request, shared } : { credential, request };
  const subject = operationSubject(row);
  if (row.access === 'read')
    return (await requestWithFailover(bus, subject, call, { timeoutMs, silenceMs, maxTries })) as JsonObject;
  const isSecret = row.takesSecret === true;
  return (await bus.request(subject, call, { timeoutMs, silenceMs, isSecret })) as JsonObject;
}
