import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Bus } from '#bus/bus.ts';
import { signInSubject, signOutSubject } from '#bus/subjects.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import type { AuthContext } from '#gateway/http/auth-context.ts';
import { refuse } from '#gateway/http/failure-reply.ts';
import { peerOf } from '#gateway/http/peer.ts';
import { credentialOf, noCredential } from '#gateway/rpc/credential.ts';
import { type ProofContext, provenKey, refuseProof } from './session-proof.ts';

const askMs = 5_000;

const SignIn = z.object({ code: z.string().min(1).max(200) });
const Session = z.object({ token: z.string(), expiresAt: z.iso.datetime() });

/** The dependencies of creating and ending sessions. */
export interface SessionContext extends AuthContext, ProofContext {
  readonly bus: Bus;
}

/**
 * Serves `/session`: POST exchanges a one-time code for the token of a session bound to the page's key, GET checks
 * whether the caller is signed in, and DELETE ends the calling session. The code is in a JSON body, which no other
 * site's page can send.
 */
export function routeSession(app: FastifyInstance, context: SessionContext): void {
  app.post('/session', (request, reply) => signIn(request, reply, context));
  app.get('/session', async (request, reply) => {
    const credential = credentialOf(request.headers.authorization);
    if (credential === undefined) return refuse(reply, noCredential());
    const { address, showedToken } = peerOf(request.raw);
    const caller = await context.throttle.admit(address, () => context.callers.ask(credential));
    showedToken(credential);
    return { caller };
  });
  const onRequest = async ({ headers }: FastifyRequest): Promise<void> => {
    if (credentialOf(headers.authorization) === undefined) throw noCredential();
  };
  app.delete('/session', { onRequest }, (request) => signOut(request, context));
}

async function signIn(request: FastifyRequest, reply: FastifyReply, context: SessionContext) {
  const { code } = parseRequest(SignIn, request.body);
  reply.header('dpop-nonce', context.nonces.current);
  let keyThumbprint: string;
  try {
    keyThumbprint = await provenKey(request, context);
  } catch (error) {
    return refuseProof(reply, error);
  }
  const answer = await context.throttle.admit(peerOf(request.raw).address, () =>
    context.bus.request(signInSubject, { code, keyThumbprint }, { timeoutMs: askMs }),
  );
  return Session.parse(answer);
}

async function signOut(request: FastifyRequest, { bus }: SessionContext) {
  const credential = credentialOf(request.headers.authorization);
  if (credential === undefined) throw noCredential();
  await bus.request(signOutSubject, { credential }, { timeoutMs: askMs });
  return {};
}
