import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { ForgeDesk } from './forges.ts';

/** What is read of forges. */
export interface ForgeScope extends KernelScope {
  /** The forges that people have connected. */
  readonly forges: ForgeDesk;
}
