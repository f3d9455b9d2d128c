import type { FastifyInstance } from 'fastify';
import type { Bus } from '#bus/bus.ts';
import { invitationSubject, joinSubject, renewalSubject } from '#bus/subjects.ts';
import { joinPaths } from '#contract/wire/host-joining.ts';
import type { AuthContext } from './http/auth-context.ts';
import { peerOf } from './http/peer.ts';

/** How long the registry may take, in milliseconds. */
const askMs = 10_000;

/** The registry's subject of each path. */
const subjects: readonly (readonly [path: string, subject: string])[] = [
  [joinPaths.preview, invitationSubject],
  [joinPaths.join, joinSubject],
  [joinPaths.renew, renewalSubject],
];

/**
 * Serves machines that join as hosts, or whose certificates have ended. They have no token of a caller: the registry
 * checks the token of their invitation, or what they signed with their key.
 */
export function routeJoining(app: FastifyInstance, { bus, throttle }: AuthContext & { readonly bus: Bus }): void {
  for (const [path, subject] of subjects) {
    app.post(path, (request) =>
      throttle.admit(peerOf(request.raw).address, () => bus.request(subject, request.body, { timeoutMs: askMs })),
    );
  }
}
