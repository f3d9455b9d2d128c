import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { Courier } from './courier.ts';

/** What calls people. */
export interface NotifyScope extends KernelScope {
  /** Sends notices to people. */
  readonly courier: Courier;
}
