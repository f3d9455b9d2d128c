import type { Transport } from '#world/forge/forge-http.ts';

/** A request as a fake received it. */
export interface DoubleRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
}

/** An answer of a fake forge. A body that is not a text is sent as JSON. */
export interface DoubleAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A fake forge. */
export type Double = (request: DoubleRequest) => DoubleAnswer | Promise<DoubleAnswer>;

export function textOf({ body }: DoubleAnswer): string {
  return body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
}

export function headersOf({ headers, body }: DoubleAnswer): Record<string, string> {
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  return { ...(body !== undefined && { 'content-type': type }), ...headers };
}

/** A fake forge that is called without a network. */
export function transportTo(double: Double): Transport {
  return async (url, init) => {
    init.signal?.throwIfAborted();
    const answer = await double({
      method: init.method ?? 'GET',
      url: new URL(url),
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? init.body : '',
    });
    const text = textOf(answer);
    return new Response(text === '' ? null : text, { status: answer.status, headers: headersOf(answer) });
  };
}
