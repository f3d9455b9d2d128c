import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpRefusal } from '#contract/http-status.ts';
import { requireOffer } from '#contract/offer.ts';
import { type Operation, pathOf } from '#contract/operation.ts';
import type { AuthContext } from '#gateway/http/auth-context.ts';
import { peerOf } from '#gateway/http/peer.ts';
import { parseWire } from '#gateway/http/wire.ts';
import { forCaller } from './admit.ts';
import { credentialOf, noCredential } from './credential.ts';
import { calledPath } from './rpc-routes.ts';

/** The refusal of a content type. */
export function unsupported(contentType: string | null | undefined): HttpRefusal {
  return new HttpRefusal(
    415,
    `The content type ${JSON.stringify(contentType ?? '')} is not accepted here: use application/json, or application/proto, ` +
      'for a watch application/connect+json or application/connect+proto, or those of gRPC and gRPC-Web',
  );
}

/** The refusal of an HTTP method. */
export function notTaken(method: string): HttpRefusal {
  return new HttpRefusal(405, `The operation does not accept ${method}: use POST`);
}

/**
 * A hook that refuses a content type that no operation accepts. The framework itself would refuse it without checking
 * the caller first.
 */
export function refusingContentTypes(rows: readonly Operation[], context: AuthContext) {
  const byPath = new Map(rows.map((row) => [`/${pathOf(row)}`, row]));
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const contentType = request.headers['content-type'];
    const row = byPath.get(calledPath(request) ?? '');
    if (row === undefined || request.method === 'GET' || parseWire(contentType) !== undefined) return;
    const refusal = request.method === 'POST' ? unsupported(contentType) : notTaken(request.method);
    if (refusal.status === 405) reply.header('allow', 'POST');
    const credential = credentialOf(request.headers.authorization);
    if (credential === undefined) throw refusal.status === 405 ? refusal : noCredential();
    await forCaller(credential, peerOf(request.raw), undefined, context, async (caller) => {
      requireOffer(row, caller);
      throw refusal;
    });
  };
}
