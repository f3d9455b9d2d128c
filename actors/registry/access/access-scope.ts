import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { Sessions } from './sessions.ts';

/** Signs callers in and out. */
export interface AccessScope extends KernelScope {
  /** Signs browsers in. */
  readonly sessions: Sessions;
  /** Replaces the operator's token and returns the new one. */
  readonly replaceOperatorToken: (token: string) => string;
}
