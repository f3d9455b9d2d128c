import type { JsonObject } from '@bufbuild/protobuf';
import type { Bus } from '#bus/bus.ts';
import { authCheckSubject, operationSubject } from '#bus/subjects.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import type { Operation } from '#contract/operation.ts';

const authCheckMs = 5_000;

/** A call as the registry gets it: who asks (the SHA-256 of the token), and the request, which has been parsed. */
export interface OperationCall {
  readonly credential: string;
  readonly request: unknown;
}

/**
 * Asks the registry for an operation and gives the answer in protobuf's JSON.
 * @throws Failure of the registry, or of the bus where the registry cannot be reached.
 */
export async function askOperation(
  bus: Bus,
  row: Operation,
  call: OperationCall,
  timeoutMs: number,
): Promise<JsonObject> {
  return (await bus.request(operationSubject(row), call, { timeoutMs })) as JsonObject;
}

/**
 * Asks the registry who holds a credential, for `timeoutMs` at most.
 * @throws Failure `unauthenticated` where nobody does, `unavailable` where the registry is silent for as long as it is waited
 * for, `deadline_exceeded` where its caller would not wait so long.
 */
export async function askCaller(bus: Bus, credential: string, timeoutMs: number = authCheckMs): Promise<Caller> {
  const within = { timeoutMs: Math.min(timeoutMs, authCheckMs) };
  try {
    const { caller } = (await bus.request(authCheckSubject, { credential }, within)) as { readonly caller: Caller };
    return caller;
  } catch (error) {
    const isSilent = error instanceof Failure && error.code === 'deadline_exceeded' && timeoutMs >= authCheckMs;
    if (!isSilent) throw error;
    throw new Failure('unavailable', 'The registry does not answer: try again in a moment', { cause: error });
  }
}
