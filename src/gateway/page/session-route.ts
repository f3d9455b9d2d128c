import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Bus } from '#bus/bus.ts';
import { signInSubject, signOutSubject } from '#bus/subjects.ts';
import { parseRequest } from '#contract/parse.ts';
import { credentialOf, noCredential } from '../credential.ts';
import type { Door } from '../door.ts';
import { refuse } from '../failure-reply.ts';
import { peerOf } from '../peer.ts';
import { cookieName, isEncrypted } from './cookie.ts';

const askMs = 5_000;

const SignIn = z.object({ code: z.string().min(1).max(200) });
const Session = z.object({ token: z.string(), expiresAt: z.iso.datetime() });

/** What sessions are begun and ended with. */
export interface SessionDoor extends Door {
  readonly bus: Bus;
}

/**
 * `/session`: POST exchanges a one-time code for the cookie of a session, GET says whether the caller is known, and DELETE
 * ends the session of the cookie. A code comes in a body of JSON, which no page of somebody else can send.
 */
export function routeSession(app: FastifyInstance, door: SessionDoor): void {
  app.post('/session', (request, reply) => signIn(request, reply, door));
  app.get('/session', async (request, reply) => {
    const credential = credentialOf(request.headers.authorization);
    if (credential === undefined) return refuse(reply, noCredential());
    const { address, showedToken } = peerOf(request.raw);
    const caller = await door.strangers.admit(address, () => door.callers.ask(credential));
    showedToken(credential);
    return { caller };
  });
  const onRequest = async ({ headers }: FastifyRequest): Promise<void> => {
    if (credentialOf(headers.authorization) === undefined) throw noCredential();
  };
  app.delete('/session', { onRequest }, (request, reply) => signOut(request, reply, door));
}

async function signIn(request: FastifyRequest, reply: FastifyReply, { bus, strangers }: SessionDoor) {
  const { code } = parseRequest(SignIn, request.body);
  const answer = await strangers.admit(peerOf(request.raw).address, () =>
    bus.request(signInSubject, { code }, { timeoutMs: askMs }),
  );
  const { token, expiresAt } = Session.parse(answer);
  reply.header('set-cookie', `${cookie(request, token)}; Expires=${new Date(expiresAt).toUTCString()}`);
  return { expiresAt };
}

async function signOut(request: FastifyRequest, reply: FastifyReply, { bus }: SessionDoor) {
  const credential = credentialOf(request.headers.authorization);
  if (credential === undefined) throw noCredential();
  await bus.request(signOutSubject, { credential }, { timeoutMs: askMs });
  reply.header('set-cookie', `${cookie(request, '')}; Max-Age=0`);
  return {};
}

function cookie(request: FastifyRequest, value: string): string {
  const encrypted = isEncrypted(request.raw);
  const name = cookieName(request.raw.socket.localPort ?? 0, encrypted);
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict${encrypted ? '; Secure' : ''}`;
}
