import { base64Decode } from '@bufbuild/protobuf/wire';
import { Code, ConnectError } from '@connectrpc/connect';
import type { UniversalServerRequest } from '@connectrpc/connect/protocol';
import { compressionBrotli, compressionGzip } from '@connectrpc/connect-node';
import { Failure } from '#contract/failure.ts';
import type { Wire } from './wire.ts';

/** The largest request, in bytes, as it comes and inflated. */
export const mostRequestBytes = 4 * 1024 * 1024;
/** How long a body may take to come, in milliseconds. */
const bodyWithin = 30_000;
const envelopeHead = 5;
const compressedFlag = 1;

const compressions = new Map([compressionGzip, compressionBrotli].map((one) => [one.name, one]));

/** Refuses a request that is larger than `mostRequestBytes`. */
export class TooLarge extends Failure {
  constructor() {
    super('resource_exhausted', `The request is larger than ${mostRequestBytes} bytes: send less at a time`);
  }
}

/**
 * Reads the bytes of a request's one message, out of its envelope and inflated.
 * @throws Failure `resource_exhausted` (`TooLarge`), `unimplemented` for an unknown compression, `invalid_argument` for
 * broken framing, `deadline_exceeded` where the body does not come, `canceled` where the caller goes.
 */
export async function readPayload(request: UniversalServerRequest, wire: Wire): Promise<Uint8Array> {
  const most = mostRequestBytes + (wire.enveloped ? envelopeHead : 0);
  const body = await readBody(request, most);
  const encoding = request.header.get(wire.encodingHeader);
  if (!wire.enveloped) return inflate(body, encoding);
  if (body.length < envelopeHead) throw new Failure('invalid_argument', 'The request holds no message');
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const end = envelopeHead + view.getUint32(1);
  if (end > most) throw new TooLarge();
  if (end !== body.length) throw new Failure('invalid_argument', 'The request does not hold exactly one whole message');
  const message = body.subarray(envelopeHead);
  if ((view.getUint8(0) & compressedFlag) === 0) return message;
  if (encoding !== null && encoding !== 'identity') return inflate(message, encoding);
  throw new Failure('invalid_argument', `The message is compressed, and ${wire.encodingHeader} does not say how`);
}

/** Reads the bytes of the message in the address of a Connect GET. */
export function readQuery(query: URLSearchParams): Promise<Uint8Array> {
  const message = query.get('message') ?? '';
  try {
    const bytes = query.get('base64') === '1' ? base64Decode(message) : new TextEncoder().encode(message);
    return inflate(bytes, query.get('compression'));
  } catch (error) {
    throw new Failure('invalid_argument', 'message is not base64, though base64=1 says so', { cause: error });
  }
}

async function readBody({ body, header }: UniversalServerRequest, most: number): Promise<Uint8Array> {
  if (Number(header.get('content-length')) > most) throw new TooLarge();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Failure('deadline_exceeded', `The request's body did not come within ${bodyWithin} ms`));
  }, bodyWithin);
  try {
    return await Promise.race([readAll(body as AsyncIterable<Uint8Array>, most), late.promise]);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('canceled', 'The connection ended before the request did', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function readAll(stream: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > most) throw new TooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function inflate(bytes: Uint8Array, encoding: string | null): Promise<Uint8Array> {
  if (encoding === null || encoding === 'identity' || bytes.length === 0) return bytes;
  const compression = compressions.get(encoding);
  if (compression === undefined) {
    const known = [...compressions.keys()].join(', ');
    throw new Failure('unimplemented', `${JSON.stringify(encoding)} is no known compression: use one of ${known}`);
  }
  try {
    return await compression.decompress(new Uint8Array(bytes), mostRequestBytes);
  } catch (error) {
    if (ConnectError.from(error).code === Code.ResourceExhausted) throw new TooLarge();
    throw new Failure('invalid_argument', `The request is not ${encoding}, though its headers say so`, {
      cause: error,
    });
  }
}
