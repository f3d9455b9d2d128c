import type { JsonObject } from '@bufbuild/protobuf';
import type { Bus } from '#bus/bus.ts';
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

/**
 * Requests an operation from the registry, and returns the answer in protobuf's JSON.
 * @throws Failure of the registry, or of the bus when the registry cannot be reached
 */
export async function askOperation(
  bus: Bus,
  row: Operation,
  { credential, request, shared = false }: OperationCall,
  timeoutMs: number,
): Promise<JsonObject> {
  const call = shared ? { credential, request, shared } : { credential, request };
  return (await bus.request(operationSubject(row), call, { timeoutMs })) as JsonObject;
}
