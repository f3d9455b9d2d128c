import type { JsonObject } from '@bufbuild/protobuf';
import type { Bus } from '#bus/bus.ts';
import { operationSubject } from '#bus/subjects.ts';
import type { Operation } from '#contract/operation.ts';

/** A call as the registry gets it: who asks (the SHA-256 of the token), and the request, which has been parsed. */
export interface OperationCall {
  readonly credential: string;
  readonly request: unknown;
}

/**
 * Asks the registry for an operation and returns the answer in protobuf's JSON.
 * @throws Failure of the registry, or of the bus if the registry cannot be reached.
 */
export async function askOperation(
  bus: Bus,
  row: Operation,
  call: OperationCall,
  timeoutMs: number,
): Promise<JsonObject> {
  return (await bus.request(operationSubject(row), call, { timeoutMs })) as JsonObject;
}
