import {
  type DescMessage,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type JsonObject,
  type MessageShape,
  toBinary,
  toJsonString,
} from '@bufbuild/protobuf';
import type { ConnectError, ConnectRouter, HandlerContext } from '@connectrpc/connect';
import type { UniversalHandler, UniversalServerRequest } from '@connectrpc/connect/protocol';
import { Failure } from '#contract/failure.ts';
import type { Operation } from '#contract/operation.ts';
import type { Log } from '#contract/process-context.ts';
import { traceHeader, traceparentOf } from '#contract/tracer.ts';
import type { AuthContext } from '#gateway/http/auth-context.ts';
import { connectErrorOf } from '#gateway/http/connect-error.ts';
import { peerKey } from '#gateway/http/peer.ts';
import { type Descriptors, methodOf } from '#gateway/proto/descriptors.ts';
import { wireFor } from './admit.ts';
import { askOperation, type CallerCall } from './ask.ts';
import type { CallTimes } from './call-times.ts';
import { defaultCallMs } from './deadline.ts';
import { admissionKey, admitting } from './front.ts';
import { toMessage } from './to-message.ts';
import { openWatch, type WatchService } from './watch/open-watch.ts';
import { frameQueueKey, SharedFrames, withFrames } from './watch/shared-frames.ts';
import { follow } from './watch/watch.ts';

/** The dependencies of the handlers of all operations. */
export interface HandlerOptions extends AuthContext, WatchService {
  /** The measurements of calls. */
  readonly calls: CallTimes;
}

/** Adds every operation to a Connect router: one generic handler for calls, and one for watches. */
export function routeOperations(
  router: ConnectRouter,
  { contract, jsonAnswers }: Descriptors,
  rows: readonly Operation[],
  options: HandlerOptions,
): void {
  const inBinary = new SharedFrames(toBinary);
  const inJson = new SharedFrames((output, message) => new TextEncoder().encode(toJsonString(output, message)));
  for (const row of rows) {
    const binary = handlerOf(router, methodOf(contract, row), row, inBinary, options);
    // Each takes a quarter of a millisecond to make, and few operations are called soon after a start.
    let made: UniversalHandler | undefined;
    const json = () => (made ??= handlerOf(router, methodOf(jsonAnswers, row), row, inJson, options));
    router.handlers.push(admitting(byWire(binary, json), row, options));
  }
}

/** The handler that Connect makes for a method, taken from the router. */
function handlerOf(
  router: ConnectRouter,
  method: DescMethod,
  row: Operation,
  frames: SharedFrames,
  options: HandlerOptions,
): UniversalHandler {
  if (isUnary(method)) {
    router.rpc(method, (_empty, context) => settled(answerOnce(row, method.output, context, options), options.log));
  } else if (isWatch(method)) {
    router.rpc(method, (_empty, context) => watch(row, method.output, context, frames, options));
  }
  const handler = router.handlers.pop();
  if (handler === undefined) throw new Error(`${row.method} streams its requests, which no handler here does`);
  return row.watch === undefined ? handler : withFrames(handler);
}

/** Combines a handler for binary answers and one for JSON answers. All other properties come from the first. */
function byWire(binary: UniversalHandler, json: () => UniversalHandler): UniversalHandler {
  const handle = (request: UniversalServerRequest) =>
    wireFor(request, binary)?.json ? json()(request) : binary(request);
  return Object.assign(handle, binary);
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === 'unary';
}

function isWatch(method: DescMethod): method is DescMethodServerStreaming {
  return method.methodKind === 'server_streaming';
}

async function answerOnce(
  row: Operation,
  output: DescMessage,
  context: HandlerContext,
  { bus, throttle, calls }: HandlerOptions,
): Promise<MessageShape<DescMessage>> {
  const parent = traceparentOf(context.requestHeader.get(traceHeader));
  const ask = async (): Promise<JsonObject> => {
    const call = admitted(context);
    return throttle.admit(context.values.get(peerKey).address, () =>
      askOperation(bus, row, call, context.timeoutMs() ?? defaultCallMs),
    );
  };
  const answer = await calls.time(row, 'rpc', ask, parent);
  return toMessage(output, answer);
}

async function* watch(
  row: Operation,
  output: DescMessage,
  context: HandlerContext,
  frames: SharedFrames,
  options: HandlerOptions,
): AsyncGenerator<MessageShape<DescMessage>> {
  try {
    const address = context.values.get(peerKey).address;
    const queue = context.values.get(frameQueueKey);
    const messages = openWatch(
      row,
      admitted(context),
      { address, signal: context.signal, sharesOpening: true },
      options,
      follow,
    );
    for await (const message of messages) yield frames.messageFor(output, message, queue);
  } catch (error) {
    throw connectError(error, options.log);
  }
  // A deadline ends the watch with deadline_exceeded; a stop of the gateway just ends it.
  context.signal.throwIfAborted();
}

function admitted(context: HandlerContext): CallerCall {
  const admission = context.values.get(admissionKey);
  if ('refusal' in admission) throw admission.refusal;
  if (admission.call === undefined) throw new Error('A request without a message reached its handler');
  return admission.call;
}

async function settled<T>(work: Promise<T>, log: Log): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw connectError(error, log);
  }
}

function connectError(error: unknown, log: Log): ConnectError {
  if (error instanceof Failure) return connectErrorOf(error);
  log.error({ err: error }, 'a call failed unexpectedly');
  return connectErrorOf(new Failure('INTERNAL', 'The call failed because of a fault in muster: its log says more'));
}
