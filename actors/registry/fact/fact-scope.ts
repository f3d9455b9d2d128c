import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { PassingFacts } from './passing-facts.ts';

/** What is told of facts. */
export interface FactScope extends KernelScope {
  /** What is told only to those who watch. */
  readonly passing: PassingFacts;
}
