import { rootCertificates } from 'node:tls';
import { httpModuleFor } from '#contract/access/http-module.ts';

/** How long a server may take, in milliseconds, and how much of an answer is read, in bytes. */
const answersWithin = 15_000;
const maxBytes = 256 * 1024;

/** The status of an answer, and its body; undefined if the body is not JSON. */
interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Posts JSON. A TLS server must present a certificate of `authority`, in PEM, or of an authority that this
 * machine trusts. Redirects are not followed.
 * @throws the error of the connection
 */
export async function postJson(url: URL, body: unknown, authority: string | undefined): Promise<JsonAnswer> {
  const text = JSON.stringify(body);
  const options = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
    signal: AbortSignal.timeout(answersWithin),
    agent: false,
  } as const;
  // Any certificate of the chain may be the trusted one, not only the root.
  const trust = authority === undefined ? {} : { ca: [authority, ...rootCertificates], allowPartialTrustChain: true };
  const { promise, resolve, reject } = Promise.withResolvers<JsonAnswer>();
  const request = httpModuleFor(url.href).request(url, { ...options, ...trust });
  request.once('error', reject);
  request.once('response', (response) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    response.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > maxBytes) request.destroy(new Error('its answer is too long'));
      else pieces.push(piece);
    });
    response.once('error', reject);
    response.once('end', () => resolve({ status: response.statusCode ?? 0, body: parsed(Buffer.concat(pieces)) }));
  });
  request.end(text);
  return promise;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
