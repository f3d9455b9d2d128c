import type { WorkScope } from '#actors/worker/work-scope.ts';
import type { Bus } from '#bus/bus.ts';
import type { HostLines } from '#bus/host-line/host-lines.ts';
import type { Clock, Ids } from '#contract/clock.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import type { Store } from '#store/store.ts';
import type { LogLine } from './log-line.ts';
import type { Waiters } from './waiters.ts';
import type { Completion, Consequence } from './writing.ts';

/**
 * What every module of the registry has access to. A module that needs more declares it in its own scope, and the
 * registry composes them.
 */
export interface KernelScope extends WorkScope {
  readonly store: Store;
  readonly bus: Bus;
  /** The connections to hosts. */
  readonly lines: HostLines;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Distinguishes positions in this log from positions in a log that a restored database has replaced. */
  readonly logLine: LogLine;
  /** The built-in harnesses, which every host of this version has. A host reports which others it has. */
  readonly harnesses: Harnesses;
  /** Agents that wait for their doorbell in a call. */
  readonly waiters: Waiters;
  /** What modules add to the facts of each commit of an agent, in this order. */
  readonly completions: readonly Completion[];
  /** What modules write with each commit of an agent, in this order. */
  readonly consequences: readonly Consequence[];
}

/** The dependencies of a write that changes agents. */
export type WriteScope = Pick<
  KernelScope,
  'store' | 'bus' | 'ids' | 'clock' | 'waiters' | 'completions' | 'consequences'
>;
