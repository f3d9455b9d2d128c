import type { WorkScope } from '#actors/worker/work-scope.ts';
import type { Bus } from '#bus/bus.ts';
import type { HostLines } from '#bus/host-line/host-lines.ts';
import type { Clock, Ids } from '#contract/clock.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import type { Store } from '#store/store.ts';
import type { LogLine } from './log-line.ts';
import type { Waiters } from './waiters.ts';
import type { Consequence } from './writing.ts';

/**
 * What every room of the registry works with. A room that needs more names it in its own scope; the registry composes
 * them.
 */
export interface KernelScope extends WorkScope {
  readonly store: Store;
  readonly bus: Bus;
  /** What hosts are asked by, and known by. */
  readonly lines: HostLines;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Distinguishes the places of this log from those of others. */
  readonly logLine: LogLine;
  /** Those that every host of this version knows. A host reports what else it knows. */
  readonly harnesses: Harnesses;
  /** Agents that wait for their doorbell. */
  readonly waiters: Waiters;
  /** What else is written with the commit of an agent, in this order. */
  readonly consequences: readonly Consequence[];
}

/** What a write that moves agents needs. */
export type WritingScope = Pick<KernelScope, 'store' | 'bus' | 'ids' | 'clock' | 'waiters' | 'consequences'>;
