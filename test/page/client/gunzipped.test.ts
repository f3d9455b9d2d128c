import { gzipSync } from 'node:zlib';
import { createEnvelopeReadableStream, encodeEnvelope } from '@connectrpc/connect/protocol';
import { expect } from 'chai';
import { gunzipped } from '#page/api/gunzipped.ts';

const [compressed, last] = [0x01, 0x02];
const long = new TextEncoder().encode('a screen '.repeat(10_000));
const short = new TextEncoder().encode('x');

/** Answers in pieces, which need not end where envelopes do. */
function answerOf(bytes: Uint8Array, pieceLength: number, headers: Readonly<Record<string, string>>): Response {
  let at = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(new Uint8Array(bytes.subarray(at, at + pieceLength)));
      at += pieceLength;
    },
  });
  return new Response(body, { status: 200, headers });
}

/** What a page's transport reads: the flags and the text of each envelope. */
async function readAll({ body }: Response): Promise<readonly (readonly [flags: number, text: string])[]> {
  const read: (readonly [number, string])[] = [];
  if (body === null) return read;
  for await (const { flags, data } of createEnvelopeReadableStream(body))
    read.push([flags, new TextDecoder().decode(data)]);
  return read;
}

describe('the page’s compressed messages', () => {
  const zipped = { 'connect-content-encoding': 'gzip', 'content-type': 'application/connect+proto' };
  const messages = Buffer.concat([
    encodeEnvelope(compressed, gzipSync(long)),
    encodeEnvelope(0, short),
    encodeEnvelope(compressed | last, gzipSync(short)),
  ]);

  for (const pieceLength of [1, 7, 1_000_000])
    it(`are read in their order, in pieces of ${pieceLength} bytes`, async () => {
      let asked = new Headers();
      const call = gunzipped(async (_input, init) => {
        asked = new Headers(init?.headers);
        return answerOf(messages, pieceLength, zipped);
      });
      const answer = await call('http://x/', { headers: { dpop: 'proof' } });
      expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'application/connect+proto']);
      expect(await readAll(answer)).to.deep.equal([
        [0, 'a screen '.repeat(10_000)],
        [0, 'x'],
        [last, 'x'],
      ]);
      expect([asked.get('connect-accept-encoding'), asked.get('dpop')]).to.deep.equal(['gzip', 'proof']);
    });

  it('leave an answer without compression as it is', async () => {
    const plain = answerOf(encodeEnvelope(0, short), 100, {});
    expect(await gunzipped(async () => plain)('http://x/')).to.equal(plain);
  });

  it('fail the stream if one is damaged, or cut off', async () => {
    const damaged = encodeEnvelope(compressed, new Uint8Array(20));
    const long = gzipSync('a screen '.repeat(1_000));
    const cut = encodeEnvelope(compressed, new Uint8Array(long.subarray(0, 30)));
    const changed = encodeEnvelope(compressed, new Uint8Array(long.with(-5, (long.at(-5) ?? 0) ^ 1)));
    for (const bytes of [damaged, cut, changed, messages.subarray(0, 50)]) {
      const answer = await gunzipped(async () => answerOf(bytes, 1_000, zipped))('http://x/');
      const outcome = await readAll(answer).then(
        () => 'read',
        (error: unknown) => error instanceof Error,
      );
      expect(outcome).to.equal(true);
    }
  });
});
