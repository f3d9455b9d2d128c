import {
  type DescMessage,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  fromJson,
  type JsonObject,
  type MessageShape,
} from '@bufbuild/protobuf';
import type { ConnectError, ConnectRouter, HandlerContext } from '@connectrpc/connect';
import type { UniversalHandler, UniversalServerRequest } from '@connectrpc/connect/protocol';
import type { Bus } from '#bus/bus.ts';
import { Failure } from '#contract/failure.ts';
import type { Operation } from '#contract/operation.ts';
import type { Log } from '#contract/process-context.ts';
import { traceHeader, traceparentOf } from '#contract/tracer.ts';
import { givePlaceBack } from '#gateway/http/admission.ts';
import { connectErrorOf } from '#gateway/http/connect-error.ts';
import type { Door } from '#gateway/http/door.ts';
import type { OpenStreams } from '#gateway/http/open-streams.ts';
import { peerKey } from '#gateway/http/peer.ts';
import { type Descriptors, methodOf } from '#gateway/proto/descriptors.ts';
import { wireFor } from './admit.ts';
import { askOperation, type OperationCall } from './ask.ts';
import type { CallTimes } from './call-times.ts';
import { defaultCallMs } from './deadline.ts';
import { admissionKey, admitting } from './front.ts';
import { follow } from './watch.ts';
import { watchingOf } from './watching.ts';

/** What every operation's handler works with. */
export interface HandlerOptions extends Door {
  readonly bus: Bus;
  /** How long a watch may say nothing, in milliseconds. */
  readonly heartbeatMs: number;
  /** How long a watch waits for a registry that went away, in milliseconds. */
  readonly patienceMs: number;
  /** Ends every watch. */
  readonly stopping: AbortSignal;
  readonly streams: OpenStreams;
  /** How long calls took. */
  readonly calls: CallTimes;
}

/** Returns a Connect router every operation: one generic handler for those that answer once, one for the watches. */
export function routeOperations(
  router: ConnectRouter,
  { contract, jsonAnswers }: Descriptors,
  rows: readonly Operation[],
  options: HandlerOptions,
): void {
  for (const row of rows) {
    const binary = handlerOf(router, methodOf(contract, row), row, options);
    const json = handlerOf(router, methodOf(jsonAnswers, row), row, options);
    router.handlers.push(admitting(byWire(binary, json), row, options));
  }
}

/** The handler that Connect makes for a method; it is not left with the router. */
function handlerOf(
  router: ConnectRouter,
  method: DescMethod,
  row: Operation,
  options: HandlerOptions,
): UniversalHandler {
  if (isUnary(method)) {
    router.rpc(method, (_empty, context) => settled(answerOnce(row, method.output, context, options), options.log));
  } else if (isWatch(method)) {
    router.rpc(method, (_empty, context) => watch(row, method.output, context, options));
  }
  const handler = router.handlers.pop();
  if (handler === undefined) throw new Error(`${row.method} streams its requests, which no handler here does`);
  return handler;
}

/** One handler that answers in binary and in JSON by a handler each. It is the first in all but the answers. */
function byWire(binary: UniversalHandler, json: UniversalHandler): UniversalHandler {
  const handle = (request: UniversalServerRequest) =>
    wireFor(request, binary)?.json ? json(request) : binary(request);
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
  options: HandlerOptions,
): AsyncGenerator<MessageShape<DescMessage>> {
  const { log, stopping, streams } = options;
  let leave: () => void = () => undefined;
  try {
    const call = admitted(context);
    leave = streams.enter(call.credential);
    givePlaceBack();
    const address = context.values.get(peerKey).address;
    const signal = AbortSignal.any([context.signal, stopping]);
    const messages = follow(watchingOf(row, call, { ...options, address, signal }));
    for await (const message of messages) yield toMessage(output, message);
  } catch (error) {
    throw connectError(error, log);
  } finally {
    leave();
  }
  // A deadline ends the watch with deadline_exceeded; a stop of the gateway just ends it.
  context.signal.throwIfAborted();
}

function admitted(context: HandlerContext): OperationCall {
  const admission = context.values.get(admissionKey);
  if ('refusal' in admission) throw admission.refusal;
  if (admission.call === undefined) throw new Error('A request without a message reached its handler');
  return admission.call;
}

/** An answer of the registry as a message; fields of a newer registry are left out. */
export function toMessage(output: DescMessage, answer: JsonObject): MessageShape<DescMessage> {
  return fromJson(output, answer, { ignoreUnknownFields: true });
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
