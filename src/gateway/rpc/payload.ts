import { Readable } from 'node:stream';
import { base64Decode } from '@bufbuild/protobuf/wire';
import { Code, ConnectError } from '@connectrpc/connect';
import { Failure } from '#contract/failure.ts';
import { HttpRefusal } from '#contract/http-status.ts';
import type { HeaderReader } from '#gateway/http/header-reader.ts';
import { IncomingMessage } from '#gateway/http/node-http.ts';
import type { MemoryLease } from '#gateway/http/request-memory.ts';
import type { Wire } from '#gateway/http/wire.ts';
import { compressions } from './compressions.ts';

/** The maximum size of a request in bytes, as received and decompressed. */
export const maxRequestBytes = 4 * 1024 * 1024;
/** The maximum ratio of decompressed to received size, for bodies above `alwaysInflated`. */
const maxRatio = 100;
/** The decompressed size that is always allowed, in bytes. */
const alwaysInflated = 256 * 1024;
/** How long a body may take to arrive, in milliseconds. */
const bodyWithin = 30_000;
const envelopeHead = 5;
const compressedFlag = 1;

function tooLarge(): Failure {
  return new HttpRefusal(413, `The request is larger than ${maxRequestBytes} bytes: send less at a time`);
}

function inflatesTooMuch(): Failure {
  return new HttpRefusal(
    413,
    `The request inflates to more than ${maxRequestBytes} bytes, or to more than ${maxRatio} times its size: send less ` +
      'at a time, or uncompressed',
  );
}

/** A body received over HTTP. */
export interface IncomingBody {
  readonly stream: AsyncIterable<Uint8Array>;
  /** The Content-Length header. */
  readonly contentLength: string | null | undefined;
}

/**
 * Reads the bytes of a request's message, without its envelope and decompressed. The lease counts the memory.
 * @throws RESOURCE_EXHAUSTED when it is too large or there is no room, UNIMPLEMENTED for an unknown compression,
 *   INVALID_ARGUMENT for invalid framing, DEADLINE_EXCEEDED when the body does not arrive, CANCELED when the caller
 *   leaves
 */
export async function readPayload(
  { body: stream, header }: { readonly body: AsyncIterable<Uint8Array>; readonly header: HeaderReader },
  wire: Wire,
  lease: MemoryLease,
): Promise<Uint8Array> {
  const max = maxRequestBytes + (wire.enveloped ? envelopeHead : 0);
  const incoming = { stream, contentLength: header.get('content-length') };
  const body = await readBody(incoming, max, lease);
  const encoding = header.get(wire.encodingHeader);
  if (!wire.enveloped) return inflate(body, encoding, lease);
  if (body.length < envelopeHead) throw new Failure('MALFORMED_REQUEST', 'The request has no message');
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const end = envelopeHead + view.getUint32(1);
  if (end > max) throw tooLarge();
  if (end !== body.length)
    throw new Failure('MALFORMED_REQUEST', 'The request does not have exactly one complete message');
  const message = body.subarray(envelopeHead);
  if ((view.getUint8(0) & compressedFlag) === 0) return message;
  if (encoding !== null && encoding !== 'identity') return inflate(message, encoding, lease);
  throw new Failure('MALFORMED_REQUEST', `The message is compressed, and ${wire.encodingHeader} does not say how`);
}

/** Reads the bytes of the message in the URL of a Connect GET. */
export function readQuery(query: URLSearchParams, lease: MemoryLease): Promise<Uint8Array> {
  const message = query.get('message') ?? '';
  try {
    const bytes = query.get('base64') === '1' ? base64Decode(message) : new TextEncoder().encode(message);
    return inflate(bytes, query.get('compression'), lease);
  } catch (error) {
    throw new Failure('MALFORMED_REQUEST', 'message is not base64, though base64=1 says so', { cause: error });
  }
}

/**
 * Reads a whole body within 30 s, up to a maximum size.
 * @throws RESOURCE_EXHAUSTED when it is larger or there is no room, DEADLINE_EXCEEDED when it does not arrive, CANCELED
 * when the caller leaves
 */
export async function readBody(
  { stream, contentLength }: IncomingBody,
  max: number,
  lease: MemoryLease,
): Promise<Uint8Array> {
  if (Number(contentLength) > max) throw tooLarge();
  const arrived = arrivedIn(stream, max);
  if (arrived !== undefined) {
    lease.add(arrived.length);
    return arrived;
  }
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new HttpRefusal(408, `The request's body did not arrive within ${bodyWithin} ms`));
  }, bodyWithin);
  try {
    return await Promise.race([readAll(stream, max, lease), late.promise]);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('CALLER_GONE', 'The connection ended before the request did', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** A body that has arrived as a whole, as small ones do with their headers; undefined for any other. */
function arrivedIn(stream: AsyncIterable<Uint8Array>, max: number): Uint8Array | undefined {
  if (!(stream instanceof IncomingMessage) || !stream.complete || stream.readableLength > max) return undefined;
  return stream.read() ?? new Uint8Array();
}

async function readAll(stream: AsyncIterable<Uint8Array>, max: number, lease: MemoryLease): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // A refused body leaves the connection open, since the answer is still to be sent over it.
  const parts = stream instanceof Readable ? stream.iterator({ destroyOnReturn: false }) : stream;
  for await (const chunk of parts) {
    size += chunk.length;
    if (size > max) throw tooLarge();
    lease.add(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function inflate(bytes: Uint8Array, encoding: string | null, lease: MemoryLease): Promise<Uint8Array> {
  if (encoding === null || encoding === 'identity' || bytes.length === 0) return bytes;
  const compression = compressions.find(({ name }) => name === encoding);
  if (compression === undefined) {
    const known = compressions.map(({ name }) => name).join(', ');
    throw new Failure(
      'UNKNOWN_COMPRESSION',
      `${JSON.stringify(encoding)} is not a known compression: use one of ${known}`,
    );
  }
  const max = Math.min(maxRequestBytes, Math.max(alwaysInflated, maxRatio * bytes.length));
  // Reserves the maximum, because the decompressed size is known only afterwards.
  lease.add(max);
  try {
    return await compression.decompress(new Uint8Array(bytes), max);
  } catch (error) {
    if (ConnectError.from(error).code === Code.ResourceExhausted) throw inflatesTooMuch();
    throw new Failure('MALFORMED_REQUEST', `The request is not ${encoding}, though its headers say so`, {
      cause: error,
    });
  }
}
