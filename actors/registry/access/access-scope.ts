import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { Sessions } from './sessions.ts';

/** What signs callers in and out. */
export interface AccessScope extends KernelScope {
  /** Signs browsers in. */
  readonly sessions: Sessions;
  /** Puts another operator's token in place of the one that there is, which it gives. */
  readonly replaceOperatorToken: (token: string) => string;
}
