import { create, type DescMessage, type JsonObject, type MessageShape } from '@bufbuild/protobuf';
import { type ContextKey, createContextKey, createContextValues } from '@connectrpc/connect';
import { encodeEnvelope, type UniversalHandler, type UniversalServerResponse } from '@connectrpc/connect/protocol';
import { compressFrom, compressions } from '#gateway/rpc/compressions.ts';
import { toMessage } from '#gateway/rpc/to-message.ts';

/** Flags of the last envelope in Connect and gRPC-Web, which does not contain a message. */
const lastFlags = 0x82;
const compressedFlag = 0x01;

/** An encoded message, made once for all streams that send it. */
class Frame {
  readonly #bytes: Uint8Array;
  /** Each made once, by the name of its compression. */
  readonly #envelopes = new Map<string, Promise<Uint8Array>>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The envelope with the message, in a compression; an empty name means none. */
  envelope(encoding: string): Promise<Uint8Array> {
    const known = this.#envelopes.get(encoding) ?? this.#makeEnvelope(encoding);
    this.#envelopes.set(encoding, known);
    return known;
  }

  async #makeEnvelope(encoding: string): Promise<Uint8Array> {
    const compression = compressions.find(({ name }) => name === encoding);
    if (compression === undefined || this.#bytes.length < compressFrom) return encodeEnvelope(0, this.#bytes);
    return encodeEnvelope(compressedFlag, await compression.compress(this.#bytes));
  }
}

/** The frames that replace the messages of a stream, in order; undefined keeps Connect's own message. */
export type FrameQueue = (Frame | undefined)[];

/** The context key of a stream's queue. */
export const frameQueueKey: ContextKey<FrameQueue | undefined> = createContextKey<FrameQueue | undefined>(undefined, {
  description: 'frames of the stream',
});

/** Encodes answers for many streams once. */
export class SharedFrames {
  readonly #frames = new WeakMap<JsonObject, Frame>();
  readonly #encode: (output: DescMessage, answer: JsonObject) => Uint8Array;

  constructor(encode: (output: DescMessage, answer: JsonObject) => Uint8Array) {
    this.#encode = encode;
  }

  /**
   * The message to pass to Connect for an answer. Connect would encode it for each stream, so it gets an empty one,
   * which the encoded answer in the queue replaces.
   */
  messageFor(output: DescMessage, answer: JsonObject, queue: FrameQueue | undefined): MessageShape<DescMessage> {
    if (queue === undefined) return toMessage(output, answer);
    queue.push(this.#frameOf(output, answer));
    return create(output);
  }

  #frameOf(output: DescMessage, answer: JsonObject): Frame {
    const known = this.#frames.get(answer);
    if (known !== undefined) return known;
    const frame = new Frame(this.#encode(output, answer));
    this.#frames.set(answer, frame);
    return frame;
  }
}

/** Wraps a handler so that its streams send the frames in their queue instead of Connect's own. */
export function withFrames(handler: UniversalHandler): UniversalHandler {
  const answer: UniversalHandler = Object.assign(async (request: Parameters<UniversalHandler>[0]) => {
    const queue: FrameQueue = [];
    const contextValues = (request.contextValues ?? createContextValues()).set(frameQueueKey, queue);
    const response = await handler({ ...request, contextValues });
    return response.body === undefined ? response : { ...response, body: framed(response, queue) };
  }, handler);
  return answer;
}

/** Connect yields one envelope for each message, and one for the end. */
function framed({ body, header }: UniversalServerResponse, queue: FrameQueue): AsyncIterable<Uint8Array> {
  const encoding = header?.get('connect-content-encoding') ?? header?.get('grpc-encoding') ?? '';
  return {
    [Symbol.asyncIterator]() {
      const chunks = (body ?? empty())[Symbol.asyncIterator]();
      return {
        async next() {
          const chunk = await chunks.next();
          if (chunk.done || ((chunk.value[0] ?? 0) & lastFlags) !== 0) return chunk;
          const frame = queue.shift();
          return frame === undefined ? chunk : { done: false, value: await frame.envelope(encoding) };
        },
        return: async (value) => (await chunks.return?.(value)) ?? { done: true, value },
        throw: async (error) => {
          if (chunks.throw === undefined) throw error;
          return chunks.throw(error);
        },
      };
    },
  };
}

async function* empty(): AsyncGenerator<Uint8Array> {
  yield* [];
}
