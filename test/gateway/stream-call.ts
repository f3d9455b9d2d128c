import { type ClientRequest, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { GatewayFixture } from './gateway-fixture.ts';
import { authorization } from './gateway-fixture.ts';
import { framed } from './wire-bytes.ts';

/** One frame of a Connect stream: a message, or how the stream ended (`{}` or `{error}`). */
export interface Frame {
  readonly end: boolean;
  readonly json: Record<string, unknown>;
}

/** A Connect stream over HTTP/1.1, read frame by frame. */
export interface StreamCall {
  readonly status: number;
  /** The next frame; undefined once the connection has ended. */
  next(): Promise<Frame | undefined>;
  /** Goes away without a word. */
  close(): Promise<void>;
}

/** The error that a stream ended with. */
export function errorOf(frame: Frame | undefined): Record<string, unknown> {
  return (frame?.end === true ? frame.json['error'] : undefined) as Record<string, unknown>;
}

/** Puts a message into an envelope. */
export function enveloped(json: object, flags = 0): Buffer {
  return framed(Buffer.from(JSON.stringify(json)), flags);
}

/** Opens a stream with one JSON message. */
export function openStream(
  { port }: Pick<GatewayFixture, 'port'>,
  path: string,
  message: object | Buffer,
  more: Readonly<Record<string, string | null>> = {},
): Promise<StreamCall> {
  const given = { 'content-type': 'application/connect+json', authorization, ...more };
  const headers = Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  return new Promise((resolve, reject) => {
    const asked: ClientRequest = request(
      { host: '127.0.0.1', port, path, method: 'POST', headers, agent: false },
      (answer) => {
        const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
        let rest = Buffer.alloc(0);
        const next = async (): Promise<Frame | undefined> => {
          for (;;) {
            const size = rest.length < 5 ? undefined : 5 + rest.readUInt32BE(1);
            if (size !== undefined && rest.length >= size) {
              const [flags = 0, body] = [rest[0], rest.subarray(5, size)];
              const plain = (flags & 1) === 0 ? body : gunzipSync(body);
              const frame = { end: (flags & 2) !== 0, json: JSON.parse(plain.toString()) as Frame['json'] };
              rest = rest.subarray(size);
              return frame;
            }
            const chunk = await chunks.next();
            if (chunk.done === true) return undefined;
            rest = Buffer.concat([rest, chunk.value]);
          }
        };
        const close = async (): Promise<void> => {
          asked.destroy();
        };
        resolve({ status: answer.statusCode ?? 0, next, close });
      },
    );
    asked.on('error', reject);
    asked.end(Buffer.isBuffer(message) ? message : enveloped(message));
  });
}
