import type { z } from 'zod';
import type { Caller } from '#contract/caller.ts';
import type { Operation } from '#contract/operation.ts';
import { parseRequest } from '#contract/parse.ts';
import type { RegistryScope } from './registry-scope.ts';

/** What answers one operation. The caller has been authenticated and is offered the operation. */
export interface Handler {
  readonly operation: Operation;
  /** Checks the request against the operation's schema and answers it. Throws `Failure` where it is refused. */
  handle(request: unknown, caller: Caller, scope: RegistryScope): Promise<unknown>;
}

/** Joins an operation of the table and what answers it. */
export function handler<Request extends z.ZodType, Response extends z.ZodType>(
  operation: Operation<Request, Response>,
  answer: (request: z.output<Request>, caller: Caller, scope: RegistryScope) => Promise<z.input<Response>>,
): Handler {
  return {
    operation,
    handle: (request, caller, scope) => answer(parseRequest(operation.request, request), caller, scope),
  };
}
