import type { Log } from '#contract/process-context.ts';
import type { KnownCallers } from './known-callers.ts';
import type { RequestMemory } from './request-memory.ts';
import type { UnauthenticatedThrottle } from './unauthenticated-throttle.ts';

/** The dependencies of every path that authenticates a request. */
export interface AuthContext {
  readonly log: Log;
  readonly callers: KnownCallers;
  readonly throttle: UnauthenticatedThrottle;
  readonly memory: RequestMemory;
}
