import {
  type DescMessage,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { Code, ConnectError, type ConnectRouter, type HandlerContext } from '@connectrpc/connect';
import type { UniversalHandler, UniversalServerRequest } from '@connectrpc/connect/protocol';
import type { Operation } from '#contract/operation.ts';
import type { Log } from '#contract/process-context.ts';
import { peerKey } from '#gateway/http/peer.ts';
import { type Descriptors, methodOf } from '#gateway/proto/descriptors.ts';
import { admittedCall, answerOnce, connectError, type HandlerOptions } from './answer.ts';
import { answerJson } from './answer-json.ts';
import { admissionKey, admitting, wireFor } from './front.ts';
import { toMessage } from './to-message.ts';
import { openWatch } from './watch/open-watch.ts';
import { frameQueueKey, SharedFrames, withFrames } from './watch/shared-frames.ts';
import { follow } from './watch/watch.ts';

/** Adds every operation to a Connect router: one generic handler for calls, and one for watches. */
export function routeOperations(
  router: ConnectRouter,
  { contract, jsonAnswers }: Descriptors,
  rows: readonly Operation[],
  options: HandlerOptions,
): void {
  const inBinary = new SharedFrames((output, answer) => toBinary(output, toMessage(output, answer)));
  const inJson = new SharedFrames((output, answer) => Buffer.from(JSON.stringify(answerJson(output, answer))));
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
    router.rpc(method, async (_empty, { values, requestHeader: header, timeoutMs }) => {
      const [admission, { address }] = [values.get(admissionKey), values.get(peerKey)];
      const request = { admission, header, address, timeoutMs: timeoutMs() };
      return toMessage(method.output, await settled(answerOnce(row, request, options), options.log));
    });
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
      admittedCall(context.values.get(admissionKey)),
      { address, signal: context.signal, sharesOpening: true },
      options,
      follow,
    );
    for await (const message of messages) yield frames.messageFor(output, message, queue);
  } catch (error) {
    if (context.signal.aborted && isRefusedWrite(error)) {
      options.log.debug({ err: error }, 'a caller left before its message was written');
      throw new ConnectError('The caller closed the stream', Code.Canceled);
    }
    throw connectError(error, options.log);
  }
  // A deadline ends the watch with deadline_exceeded; a stop of the gateway just ends it.
  context.signal.throwIfAborted();
}

/** How Node refuses to write to a connection or a stream that is closed. */
const refusedWrites: ReadonlySet<unknown> = new Set([
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_HTTP2_INVALID_STREAM',
  'ECANCELED',
  'ECONNRESET',
  'EPIPE',
]);

function isRefusedWrite(error: unknown): boolean {
  return error instanceof Error && 'code' in error && refusedWrites.has(error.code);
}

async function settled<T>(work: Promise<T>, log: Log): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw connectError(error, log);
  }
}
