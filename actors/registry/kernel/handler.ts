import type { z } from 'zod';
import type { Caller } from '#contract/access/caller.ts';
import type { Operation } from '#contract/operation.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import type { KernelScope } from './kernel-scope.ts';

/** Handles one operation. The caller has been authenticated, and its role is offered the operation. */
export interface Handler<Scope> {
  readonly operation: Operation;
  /** Validates the request against the operation's schema and returns the answer. @throws Failure when it is refused */
  readonly handle: (request: unknown, caller: Caller, scope: Scope) => Promise<unknown>;
}

/** The handler of an operation. `answer` gets the parsed request. */
export function handler<Request extends z.ZodType, Response extends z.ZodType, Scope = KernelScope>(
  operation: Operation<Request, Response>,
  answer: (request: z.output<Request>, caller: Caller, scope: Scope) => Promise<z.input<Response>>,
): Handler<Scope> {
  return {
    operation,
    handle: (request, caller, scope) => answer(parseRequest(operation.request, request), caller, scope),
  };
}
