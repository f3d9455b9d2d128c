import { z } from 'zod';
import type { Callers } from '#actors/registry/access/callers.ts';
import type { Permits } from '#actors/registry/host/permits.ts';
import type { Handler } from '#actors/registry/kernel/handler.ts';
import type { Endpoint } from '#bus/bus.ts';
import { authCheckSubject, endedCredentialsSubject, operationSubject } from '#bus/subjects.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { refusePeopleOnly, requireOffer } from '#contract/offer.ts';
import type { Operation } from '#contract/operation.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import type { RegistryScope } from './registry-scope.ts';

/** A call as a gateway forwards it: the SHA-256 of the caller's token, in hex, and the request. */
const Call = z.object({ credential: z.string(), request: z.unknown().optional(), shared: z.boolean().optional() });

/** The credentials of a gateway's open streams. */
const Credentials = z.object({ credentials: z.array(z.string()).max(1_000) });

/** The dependencies of operations. */
interface OperationContext {
  readonly callers: Callers;
  readonly scope: RegistryScope;
  /** Each call gets its own view of these, so that no permit is valid longer than its caller waits. */
  readonly permits: Pick<Permits, 'within'>;
}

/** An endpoint for each operation. The token alone identifies the caller, whose role must be offered the operation. */
export function operationEndpoints(
  handlers: readonly Handler<RegistryScope>[],
  { callers, scope, permits }: OperationContext,
): readonly Endpoint[] {
  return handlers.map(({ operation, handle }) => ({
    name: `${operation.service}-${operation.method}`,
    subject: operationSubject(operation),
    secret: operation.secret ?? false,
    async handle(body, { timeoutMs }) {
      const its = timeoutMs === undefined ? scope : { ...scope, permits: permits.within(timeoutMs) };
      const { credential, request = {}, shared = false } = parseRequest(Call, body);
      const caller = await callers.of(credential);
      const record = { operation: operation.method, by: caller.kind === 'person' ? 'person' : caller.agentId };
      try {
        requireOffer(operation, caller);
        refusePeopleOnly(operation, caller, request);
        const answer = await handle(request, shared ? toAnyOf(caller, operation) : caller, its);
        if (operation.access === 'write' && !operation.private) scope.log.info(record, 'an operation was done');
        return answer;
      } catch (error) {
        if (error instanceof Failure && error.code === 'permission_denied') {
          scope.log.warn({ ...record, why: error.message }, 'a caller was not allowed an operation');
        }
        throw error;
      }
    },
  }));
}

/** For an answer that other callers share: an anonymous caller of the same role, without agents. */
function toAnyOf(caller: Caller, { watch }: Operation): Caller {
  const isShared = watch !== undefined && 'facts' in watch && watch.shared !== undefined;
  return isShared && caller.kind === 'agent' ? { kind: 'agent', agentId: '', role: caller.role } : caller;
}

/** The endpoints where a gateway asks who holds a credential, and which credentials of its open streams have ended. */
export function credentialEndpoints(callers: Callers): readonly Endpoint[] {
  return [
    {
      name: 'authenticate',
      subject: authCheckSubject,
      async handle(body) {
        const { credential } = parseRequest(Call, body);
        return { caller: await callers.of(credential) };
      },
    },
    {
      name: 'ended-credentials',
      subject: endedCredentialsSubject,
      async handle(body) {
        const { credentials } = parseRequest(Credentials, body);
        return { ended: await callers.endedOf(credentials) };
      },
    },
  ];
}
