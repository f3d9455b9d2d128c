import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { calculateJwkThumbprint, EmbeddedJWK, type JWTPayload, jwtVerify } from 'jose';
import { Failure } from '#contract/failure.ts';
import { refuse } from '#gateway/http/failure-reply.ts';
import { credentialOf, sessionAuthorization } from '#gateway/rpc/credential.ts';
import type { ProofNonces } from './proof-nonces.ts';
import type { ProvenSessions } from './proven-sessions.ts';

/** The Authorization header of a browser's session (RFC 9449, section 7.1). */
const sessionForm = /^DPoP (mss_[A-Za-z0-9_-]{43})$/;

/** The dependencies of checking proofs. */
export interface ProofContext {
  readonly nonces: ProofNonces;
  readonly proven: ProvenSessions;
  /** The origin of the page that a request was sent to; undefined if there is no page. */
  readonly pageOriginOf: (request: FastifyRequest) => string | undefined;
}

/** The failure of a proof that the browser should repeat with the nonce of the answer. */
class StaleProof extends Failure {}

/**
 * Replaces a session's Authorization header by an internal credential, before anything else identifies the caller. The
 * request must come from muster's own page at its own address, with a proof of the key to which the session is bound,
 * made for this request and not used before. A session is accepted in no other way, and never at /mcp, which pages do
 * not call.
 */
export async function admitSession(
  request: FastifyRequest,
  reply: FastifyReply,
  context: ProofContext,
): Promise<FastifyReply | undefined> {
  const { headers } = request.raw;
  if (headers['dpop'] === undefined || headers.authorization === undefined) return undefined;
  const [, token] = sessionForm.exec(headers.authorization) ?? [];
  if (token === undefined) return undefined;
  reply.header('dpop-nonce', context.nonces.current);
  try {
    if (/^\/mcp(?:[/?]|$)/.test(request.url))
      throw new Failure('SESSION_NOT_PROVEN', 'A session of the page is not accepted here');
    const shown = headers.authorization;
    headers.authorization = sessionAuthorization(token, await provenKey(request, context, token));
    const credential = credentialOf(headers.authorization) ?? '';
    context.proven.note(shown, credential);
    // At a session's first request, the registry accepts it only later.
    reply.raw.once('close', () => context.proven.note(shown, credential));
    return undefined;
  } catch (error) {
    return refuseProof(reply, error);
  }
}

/** Answers a request with an invalid proof, with the nonce for another one if that may help. */
export function refuseProof(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof Failure)) throw error;
  const why = error instanceof StaleProof ? 'use_dpop_nonce' : 'invalid_dpop_proof';
  reply.header('www-authenticate', `DPoP error="${why}", algs="ES256"`);
  return refuse(reply, error);
}

/**
 * The thumbprint of the key that a request's proof is made with. With `token`, the proof must also name that token.
 * @throws UNAUTHENTICATED when the proof is missing, used before, or for another request, key or page
 */
export async function provenKey(request: FastifyRequest, context: ProofContext, token?: string): Promise<string> {
  const origin = context.pageOriginOf(request);
  if (origin === undefined || !isSentByPage(request)) throw refusal('it was not sent by the page at its own address');
  const { payload, protectedHeader } = await readProof(request);
  const { htm, htu, ath, jti = '', nonce } = payload;
  const hash = token === undefined ? undefined : createHash('sha256').update(token).digest('base64url');
  if (!String(htu).startsWith(`${origin}/`))
    throw refusal(`the page is at ${origin}, and the proof is for another address`);
  if (htm !== request.method || htu !== `${origin}${request.url}` || ath !== hash) {
    throw refusal('its proof was made for another request');
  }
  if (jti === '' || jti.length > 100 || protectedHeader.jwk === undefined) throw refusal('its proof is incomplete');
  if (!context.nonces.take(nonce, jti)) {
    throw new StaleProof(
      'SESSION_NOT_PROVEN',
      'The proof of this request is old, or was used already: create a new one',
    );
  }
  return calculateJwkThumbprint(protectedHeader.jwk);
}

async function readProof({ raw }: FastifyRequest) {
  const dpop = raw.headers['dpop'];
  if (typeof dpop !== 'string' || dpop.length > 4_096) throw refusal('it carries no proof');
  try {
    return await jwtVerify<JWTPayload & { htm?: unknown; htu?: unknown; ath?: unknown; nonce?: unknown }>(
      dpop,
      EmbeddedJWK,
      { typ: 'dpop+jwt', algorithms: ['ES256'] },
    );
  } catch (cause) {
    throw refusal('its proof is not signed by its key', cause);
  }
}

/** Whether the page sent the request, by the browser's own headers. Older browsers only send the origin. */
function isSentByPage({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? headers.origin !== undefined : site === 'same-origin';
}

function refusal(why: string, cause?: unknown): Failure {
  return new Failure(
    'SESSION_NOT_PROVEN',
    `The request is not of this browser’s session: ${why}. Run \`muster open\``,
    { cause },
  );
}
