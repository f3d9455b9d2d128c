import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { ManagedForges } from './forges.ts';

/** What has been read from forges. */
export interface ForgeScope extends KernelScope {
  /** The forges that people have connected. */
  readonly forges: ManagedForges;
}
