import { createEnvelopeReadableStream, type EnvelopedMessage, encodeEnvelope } from '@connectrpc/connect/protocol';

/** The flag of an envelope whose message is compressed. */
const compressedFlag = 0x01;

/**
 * Adds gzip to a way to call a service: Connect's transport for browsers knows no compressed messages, and the gateway
 * compresses what it sends to many pages only once. Unary calls are compressed by HTTP itself.
 */
export function gunzipped(call: typeof fetch): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('connect-accept-encoding', 'gzip');
    const answer = await call(input, { ...init, headers });
    if (answer.body === null || answer.headers.get('connect-content-encoding') !== 'gzip') return answer;
    const plain = createEnvelopeReadableStream(answer.body).pipeThrough(
      new TransformStream<EnvelopedMessage, Uint8Array<ArrayBuffer>>({
        transform: async (message, controller) => controller.enqueue(await plainEnvelope(message)),
      }),
    );
    return new Response(plain, answer);
  };
}

async function plainEnvelope({ flags, data }: EnvelopedMessage): Promise<Uint8Array<ArrayBuffer>> {
  if ((flags & compressedFlag) === 0) return encodeEnvelope(flags, data);
  return encodeEnvelope(flags & ~compressedFlag, await gunzip(new Uint8Array(data)));
}

/** Without a Blob as the source: the browser keeps its bytes in another process, which costs more than unpacking. */
async function gunzip(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const { readable, writable } = new DecompressionStream('gzip');
  const writer = writable.getWriter();
  const [bytes] = await Promise.all([new Response(readable).arrayBuffer(), writer.write(data), writer.close()]);
  return new Uint8Array(bytes);
}
