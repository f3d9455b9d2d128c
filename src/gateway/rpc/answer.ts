import type { JsonObject } from '@bufbuild/protobuf';
import type { ConnectError } from '@connectrpc/connect';
import { Failure } from '#contract/failure.ts';
import type { Operation } from '#contract/operation.ts';
import type { Log } from '#contract/process-context.ts';
import { traceHeader, traceparentOf } from '#contract/tracer.ts';
import type { AuthContext } from '#gateway/http/auth-context.ts';
import { connectErrorOf } from '#gateway/http/connect-error.ts';
import type { HeaderReader } from '#gateway/http/header-reader.ts';
import type { Admission } from './admit.ts';
import { askOperation, type CallerCall } from './ask.ts';
import type { CallTimes } from './call-times.ts';
import { defaultCallMs } from './deadline.ts';
import type { WatchService } from './watch/open-watch.ts';

/** The dependencies of the handlers of all operations. */
export interface HandlerOptions extends AuthContext, WatchService {
  /** The measurements of calls. */
  readonly calls: CallTimes;
}

/** A checked request for an operation. */
export interface AdmittedRequest {
  readonly admission: Admission;
  readonly header: HeaderReader;
  /** The address of the caller's computer. */
  readonly address: string;
  readonly timeoutMs: number | undefined;
}

/** Asks the registry, and measures the call. @throws Failure of the admission, of the registry or of the bus */
export function answerOnce(
  row: Operation,
  { admission, header, address, timeoutMs = defaultCallMs }: AdmittedRequest,
  { bus, throttle, calls }: HandlerOptions,
): Promise<JsonObject> {
  const ask = async (): Promise<JsonObject> => {
    const call = admittedCall(admission);
    return throttle.admit(address, () => askOperation(bus, row, call, timeoutMs));
  };
  return calls.time(row, 'rpc', ask, traceparentOf(header.get(traceHeader)));
}

/** The call of an admission. @throws its refusal */
export function admittedCall(admission: Admission): CallerCall {
  if ('refusal' in admission) throw admission.refusal;
  if (admission.call === undefined) throw new Error('A request without a message reached its handler');
  return admission.call;
}

/** The failure to answer for an error. Any other error than a failure is logged. */
export function failureOf(error: unknown, log: Log): Failure {
  if (error instanceof Failure) return error;
  log.error({ err: error }, 'a call failed unexpectedly');
  return new Failure('INTERNAL', 'The call failed because of a fault in muster: its log says more');
}

/** The same as Connect's error. */
export function connectError(error: unknown, log: Log): ConnectError {
  return connectErrorOf(failureOf(error, log));
}
