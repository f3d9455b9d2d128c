import { Failure } from '#contract/failure.ts';
import type { Connection } from './connection.ts';
import { networkFailure, post } from './http.ts';
import { type ConnectErrorJson, refusalIn } from './refusal.ts';

const headerLength = 5;
const compressedFlag = 1;
const endFlag = 2;
/** The maximum size of a frame, in bytes. */
const maxFrameBytes = 64 * 1024 * 1024;
/**
 * How long a stream may be silent, in milliseconds. The service sends a heartbeat every 15 s, and waits 30 s for a
 * registry that is unreachable.
 */
const maxSilentMs = 60_000;

interface Frame {
  readonly flags: number;
  readonly payload: string;
}

/**
 * Calls a watch and yields its responses, until the service ends it or the signal aborts.
 * @throws Failure with the service's own code and message, or UNAVAILABLE when the stream breaks off or falls silent.
 */
export async function* watch(
  connection: Connection,
  path: string,
  request: unknown,
  signal?: AbortSignal,
  silentWithin = maxSilentMs,
): AsyncGenerator<unknown, void> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(fellSilent(connection, silentWithin)), silentWithin);
  try {
    const answer = await post(connection, path, {
      headers: { 'content-type': 'application/connect+json' },
      body: frameOf(JSON.stringify(request)),
      signal: signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]),
    });
    yield* responsesOf(connection, framesOf(withCallback(answer.body, () => timer.refresh())));
  } catch (error) {
    if (signal?.aborted) return;
    throw networkFailure(connection, error);
  } finally {
    clearTimeout(timer);
  }
}

function fellSilent({ baseUrl }: Connection, milliseconds: number): Failure {
  return new Failure('SERVICE_UNREACHABLE', `muster at ${baseUrl} has sent nothing for ${milliseconds / 1000} s`);
}

async function* withCallback(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onChunk: () => void,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    onChunk();
    yield chunk;
  }
}

async function* responsesOf({ baseUrl }: Connection, frames: AsyncIterable<Frame>): AsyncGenerator<unknown, void> {
  for await (const { flags, payload } of frames) {
    if (flags & compressedFlag)
      throw new Failure('INTERNAL', `${baseUrl} compressed its answer without being asked to`);
    const value: unknown = JSON.parse(payload);
    if (!(flags & endFlag)) {
      yield value;
      continue;
    }
    const { error } = value as { error?: ConnectErrorJson };
    if (error) throw await refusalIn(error);
    return;
  }
  throw new Failure('ANSWER_INTERRUPTED', `muster at ${baseUrl} broke off its answer: it may have been stopped`);
}

/** One message in Connect's envelope: a flag byte, the length in four bytes, the payload. */
export function frameOf(payload: string, flags = 0): Uint8Array<ArrayBuffer> {
  const body = Buffer.from(payload);
  const frame = Buffer.alloc(headerLength + body.length);
  frame.writeUInt8(flags, 0);
  frame.writeUInt32BE(body.length, 1);
  body.copy(frame, headerLength);
  return frame;
}

/** Splits a byte stream into frames, regardless of its chunks. An incomplete last frame is dropped. */
export async function* framesOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Frame, void> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  let needed = headerLength;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    bytes += chunk.length;
    while (bytes >= needed) {
      const buffer = Buffer.concat(waiting);
      const end = headerLength + frameLength(buffer);
      if (bytes >= end) {
        yield { flags: buffer.readUInt8(0), payload: buffer.toString('utf8', headerLength, end) };
        bytes -= end;
        waiting = [buffer.subarray(end)];
        needed = headerLength;
      } else {
        waiting = [buffer];
        needed = end;
      }
    }
  }
}

function frameLength(buffer: Buffer): number {
  const length = buffer.readUInt32BE(1);
  if (length <= maxFrameBytes) return length;
  throw new Failure(
    'ANSWER_UNREADABLE',
    `a message of ${length} bytes was announced, but at most ${maxFrameBytes} are accepted`,
  );
}
