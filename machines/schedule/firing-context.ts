import { contextReader } from '#machines/context-reader.ts';

/** The initial input of a firing's machine. */
export interface FiringInput {
  readonly state: 'available' | 'scheduled' | 'pending' | 'cancelled';
  readonly maxAttempts: number;
  /** When one that is scheduled is due, in milliseconds since 1970. */
  readonly until: number | null;
  /** Why it waits or was skipped; empty if neither. */
  readonly message: string;
  /** Whether a person fired it: then no time limit and no agent of an earlier run prevents it. */
  readonly byHand?: boolean;
}

/** The context of a firing's machine. */
export interface FiringContext {
  readonly bornAs: FiringInput['state'];
  /** The number of the attempt: zero before the first. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** The lease that a worker must name; null while no worker has it. */
  readonly lease: string | null;
  /** When it is due, or its lease ends, in milliseconds since 1970. */
  readonly until: number | null;
  readonly snoozes: number;
  readonly message: string;
  /** The agent that it launched. */
  readonly agentId: string | null;
  /** Whether a person fired or retried it. */
  readonly byHand?: boolean;
}

/** Reads the context of a firing's machine from a stored snapshot. */
export const readFiringContext = contextReader<FiringContext>('firing', {
  bornAs: ['string'],
  attempt: ['number'],
  maxAttempts: ['number'],
  lease: ['string', 'null'],
  until: ['number', 'null'],
  snoozes: ['number'],
  message: ['string'],
  agentId: ['string', 'null'],
});

/** The fencing token of a worker's lease of a firing. */
export interface FiringLease {
  readonly attempt: number;
  readonly lease: string;
}

/** Everything that can happen to a firing. Times are milliseconds since 1970. */
export type FiringEvent =
  /** It need not wait any longer; it is due at once or later. */
  | { readonly type: 'READY'; readonly until: number | null }
  /** It is due, or its lease has expired; `until` is when a lost attempt is retried. */
  | { readonly type: 'DUE'; readonly now: number; readonly until: number; readonly reason: string }
  /** The clock was set by this many milliseconds: remaining times stay the same. */
  | { readonly type: 'CLOCK_SET'; readonly by: number }
  | { readonly type: 'RETRY' }
  | { readonly type: 'WAIT' | 'SKIP' | 'CANCEL' | 'EXPIRE'; readonly reason: string }
  | { readonly type: 'CLAIM'; readonly lease: string; readonly until: number }
  | ({ readonly type: 'HEARTBEAT'; readonly until: number } & FiringLease)
  | ({ readonly type: 'COMPLETE'; readonly agentId: string } & FiringLease)
  /** The attempt failed, or is postponed without counting. */
  | ({ readonly type: 'FAIL' | 'SNOOZE'; readonly reason: string; readonly until: number } & FiringLease)
  | ({ readonly type: 'DISCARD' | 'GIVE_UP'; readonly reason: string } & FiringLease)
  /** It waits for something that is not available. This uses no attempt. */
  | ({ readonly type: 'PARK'; readonly reason: string } & FiringLease)
  /** The worker stops and releases it. This uses no attempt. */
  | ({ readonly type: 'RELEASE' } & FiringLease);
