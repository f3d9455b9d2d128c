import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { EphemeralEvents } from './ephemeral-events.ts';

/** The stored facts. */
export interface FactScope extends KernelScope {
  /** Events for current watchers only. */
  readonly ephemeralEvents: EphemeralEvents;
}
