import type { DescMessage, DescMethod, JsonObject } from '@bufbuild/protobuf';
import { compressionNegotiate } from '@connectrpc/connect/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { statusOf } from '#contract/http-status.ts';
import { type Operation, pathOf } from '#contract/operation.ts';
import { errorBody } from '#gateway/http/connect-error.ts';
import { type HeaderReader, headerReader } from '#gateway/http/header-reader.ts';
import { peerOf } from '#gateway/http/peer.ts';
import { parseWire, type Wire } from '#gateway/http/wire.ts';
import { type Descriptors, methodOf } from '#gateway/proto/descriptors.ts';
import { admissionOf, type OperationRequest } from './admit.ts';
import { answerOnce, failureOf, type HandlerOptions } from './answer.ts';
import { answerJson } from './answer-json.ts';
import { compressFrom, compressions } from './compressions.ts';
import { credentialOf } from './credential.ts';
import { connectTimeoutIn } from './deadline.ts';

/** Answers a call in JSON over POST. */
export type JsonCall = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** What answers calls of the operations that answer once, by their paths. */
export function jsonCalls(
  { contract, jsonAnswers }: Descriptors,
  rows: readonly Operation[],
  options: HandlerOptions,
): ReadonlyMap<string, JsonCall> {
  const unary = rows.filter(({ watch }) => watch === undefined);
  return new Map(
    unary.map((row) => {
      const { output } = methodOf(jsonAnswers, row);
      return [`/${pathOf(row)}`, jsonCall(row, methodOf(contract, row), output, options)];
    }),
  );
}

/** Whether a request is a call in JSON over POST, in Connect's protocol. */
export function isJsonCall({ method, headers }: FastifyRequest): boolean {
  return method === 'POST' && isPlainJson(parseWire(headers['content-type']));
}

function isPlainJson(wire: Wire | undefined): boolean {
  return wire?.json === true && !wire.enveloped;
}

/**
 * Answers an operation's calls in JSON over POST, which are by far the most frequent, without the layers in which
 * Connect serves all of its protocols. Callers see the same bytes.
 */
function jsonCall(row: Operation, method: DescMethod, output: DescMessage, options: HandlerOptions): JsonCall {
  return async ({ raw, headers }, reply) => {
    const header = headerReader(headers);
    const request = { row, method, header, peer: peerOf(raw), query: undefined, body: raw };
    try {
      return send(reply, JSON.stringify(answerJson(output, await answerTo(request, options))), header);
    } catch (error) {
      const failure = failureOf(error, options.log);
      return send(reply.code(statusOf(failure)), errorBody(failure), header);
    }
  };
}

/** Asks the registry. The memory is released before the answer is sent, because that may never end. */
async function answerTo(request: Omit<OperationRequest, 'wire'>, options: HandlerOptions): Promise<JsonObject> {
  const { row, header, peer } = request;
  const credential = credentialOf(header.get('authorization'));
  const lease = options.memory.lease(credential ?? '');
  try {
    const wire = parseWire(header.get('content-type'));
    const admission = await admissionOf({ ...request, wire }, credential, lease, options);
    const timeoutMs = connectTimeoutIn(header);
    return await answerOnce(row, { admission, header, address: peer.address, timeoutMs }, options);
  } finally {
    lease.end();
  }
}

/** Sends JSON, compressed if it is large and the caller accepts that, as Connect does. */
async function send(reply: FastifyReply, text: string, header: HeaderReader): Promise<FastifyReply> {
  // Otherwise the framework would add a charset, which clients of Connect do not expect.
  reply.header('content-type', 'application/json').serializer(asItIs);
  const accepted = header.get('accept-encoding');
  const { response: compression } = compressionNegotiate([...compressions], null, accepted, 'accept-encoding');
  if (compression === null) return reply.send(text);
  const bytes = Buffer.from(text);
  if (bytes.length < compressFrom) return reply.send(text);
  const compressed = await compression.compress(bytes);
  return reply.header('content-encoding', compression.name).send(compressed);
}

function asItIs(text: unknown): string {
  return String(text);
}
