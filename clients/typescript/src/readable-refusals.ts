const streamType = 'application/connect+proto';
/** Connect’s flag of the message that ends a stream. */
const endFlag = 2;

/**
 * A `fetch` that follows no redirect, because a token is for its address only, and that passes on why a stream was
 * refused before it began. Connect reads only the HTTP status of such an answer, although its body has code and reason.
 */
export function readableRefusals(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const answer = await fetch(input, { ...init, redirect: 'manual' });
    const isStream = new Headers(init?.headers).get('content-type') === streamType;
    if (!isStream || answer.ok || !answer.headers.get('content-type')?.startsWith('application/json')) return answer;
    const end = new TextEncoder().encode(`{"error":${await answer.text()}}`);
    return new Response(envelopeOf(end), { status: 200, headers: { 'content-type': streamType } });
  };
}

/** The message that ends a stream: a flag byte, the length in four bytes, the payload. */
function envelopeOf(payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const envelope = new Uint8Array(5 + payload.length);
  new DataView(envelope.buffer).setUint8(0, endFlag);
  new DataView(envelope.buffer).setUint32(1, payload.length);
  envelope.set(payload, 5);
  return envelope;
}
