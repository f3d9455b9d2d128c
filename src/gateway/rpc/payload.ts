import { base64Decode } from '@bufbuild/protobuf/wire';
import { Code, ConnectError } from '@connectrpc/connect';
import type { UniversalServerRequest } from '@connectrpc/connect/protocol';
import { compressionBrotli, compressionGzip } from '@connectrpc/connect-node';
import { Failure } from '#contract/failure.ts';
import { HttpRefusal } from '#contract/http-status.ts';
import type { MemoryLease } from '#gateway/http/request-memory.ts';
import type { Wire } from './wire.ts';

/** The largest request, in bytes, as it comes and inflated. */
export const mostRequestBytes = 4 * 1024 * 1024;
/** How many times as large as it came a body may become, where that is more than `alwaysInflated`. */
const maxRatio = 100;
/** A body may become so large in any case, in bytes. */
const alwaysInflated = 256 * 1024;
/** How long a body may take to come, in milliseconds. */
const bodyWithin = 30_000;
const envelopeHead = 5;
const compressedFlag = 1;

const compressions = new Map([compressionGzip, compressionBrotli].map((one) => [one.name, one]));

function tooLarge(): Failure {
  return new HttpRefusal(413, `The request is larger than ${mostRequestBytes} bytes: send less at a time`);
}

function inflatesTooMuch(): Failure {
  return new HttpRefusal(
    413,
    `The request inflates to more than ${mostRequestBytes} bytes, or to more than ${maxRatio} times its size: send less ` +
      'at a time, or uncompressed',
  );
}

/** A body as it comes over HTTP. */
export interface IncomingBody {
  readonly stream: AsyncIterable<Uint8Array>;
  /** What its header says of its length. */
  readonly contentLength: string | null | undefined;
}

/**
 * Reads the bytes of a request's one message, out of its envelope and inflated. What it holds is counted by the lease.
 * @throws Failure `resource_exhausted` where it is too large or there is no room, `unimplemented` for an unknown compression,
 * `invalid_argument` for broken framing, `deadline_exceeded` where the body does not come, `canceled` where the caller goes.
 */
export async function readPayload(
  { body: stream, header }: UniversalServerRequest,
  wire: Wire,
  lease: MemoryLease,
): Promise<Uint8Array> {
  const most = mostRequestBytes + (wire.enveloped ? envelopeHead : 0);
  const incoming = { stream: stream as AsyncIterable<Uint8Array>, contentLength: header.get('content-length') };
  const body = await readBody(incoming, most, lease);
  const encoding = header.get(wire.encodingHeader);
  if (!wire.enveloped) return inflate(body, encoding, lease);
  if (body.length < envelopeHead) throw new Failure('invalid_argument', 'The request holds no message');
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const end = envelopeHead + view.getUint32(1);
  if (end > most) throw tooLarge();
  if (end !== body.length) throw new Failure('invalid_argument', 'The request does not hold exactly one whole message');
  const message = body.subarray(envelopeHead);
  if ((view.getUint8(0) & compressedFlag) === 0) return message;
  if (encoding !== null && encoding !== 'identity') return inflate(message, encoding, lease);
  throw new Failure('invalid_argument', `The message is compressed, and ${wire.encodingHeader} does not say how`);
}

/** Reads the bytes of the message in the address of a Connect GET. */
export function readQuery(query: URLSearchParams, lease: MemoryLease): Promise<Uint8Array> {
  const message = query.get('message') ?? '';
  try {
    const bytes = query.get('base64') === '1' ? base64Decode(message) : new TextEncoder().encode(message);
    return inflate(bytes, query.get('compression'), lease);
  } catch (error) {
    throw new Failure('invalid_argument', 'message is not base64, though base64=1 says so', { cause: error });
  }
}

/**
 * Reads a whole body of at most so many bytes, within 30 s.
 * @throws Failure `resource_exhausted` where it is larger or there is no room, `deadline_exceeded` where it does not come,
 * `canceled` where the caller goes.
 */
export async function readBody(
  { stream, contentLength }: IncomingBody,
  most: number,
  lease: MemoryLease,
): Promise<Uint8Array> {
  if (Number(contentLength) > most) throw tooLarge();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new HttpRefusal(408, `The request's body did not come within ${bodyWithin} ms`));
  }, bodyWithin);
  try {
    return await Promise.race([readAll(stream, most, lease), late.promise]);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('canceled', 'The connection ended before the request did', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function readAll(stream: AsyncIterable<Uint8Array>, most: number, lease: MemoryLease): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > most) throw tooLarge();
    lease.add(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function inflate(bytes: Uint8Array, encoding: string | null, lease: MemoryLease): Promise<Uint8Array> {
  if (encoding === null || encoding === 'identity' || bytes.length === 0) return bytes;
  const compression = compressions.get(encoding);
  if (compression === undefined) {
    const known = [...compressions.keys()].join(', ');
    throw new Failure('unimplemented', `${JSON.stringify(encoding)} is no known compression: use one of ${known}`);
  }
  const most = Math.min(mostRequestBytes, Math.max(alwaysInflated, maxRatio * bytes.length));
  // Room for all that it may become: what it does become is known only once it is there.
  lease.add(most);
  try {
    return await compression.decompress(new Uint8Array(bytes), most);
  } catch (error) {
    if (ConnectError.from(error).code === Code.ResourceExhausted) throw inflatesTooMuch();
    throw new Failure('invalid_argument', `The request is not ${encoding}, though its headers say so`, {
      cause: error,
    });
  }
}
