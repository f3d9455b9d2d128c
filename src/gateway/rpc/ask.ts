import type { JsonObject } from '@bufbuild/protobuf';
import type { Bus } from '#bus/bus.ts';
import { operationSubject } from '#bus/subjects.ts';
import type { Caller } from '#contract/access/caller.ts';
import type { Operation } from '#contract/operation.ts';

/** A call as the registry gets it: who asks (the SHA-256 of the token), and the request, which has been parsed. */
export interface OperationCall {
  readonly credential: string;
  readonly request: unknown;
  /**
   * Whether the answer also serves others that see no more than the caller: it leaves out what only the caller may see.
   */
  readonly shared?: boolean;
}

/** A call whose caller is known. */
export interface CallerCall extends Omit<OperationCall, 'shared'> {
  readonly caller: Caller;
}

/**
 * Asks the registry for an operation and returns the answer in protobuf's JSON.
 * @throws Failure of the registry, or of the bus if the registry cannot be reached.
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
