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

/** What a firing's machine remembers. */
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
  /** Whether a person fired it, or had it tried again. */
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

/** What proves that a worker has leased a firing: its fence. */
export interface FiringLease {
  readonly attempt: number;
  readonly lease: string;
}

/** Everything that can happen to a firing. Times are milliseconds since 1970. */
export type FiringEvent =
  /** What it waited for is there; it is due at once or later. */
  | { readonly type: 'READY'; readonly until: number | null }
  /** Time has come, or a lease has ended; `until` is when a try that was lost is made again. */
  | { readonly type: 'DUE'; readonly now: number; readonly until: number; readonly reason: string }
  /** The clock was set by this many milliseconds: what is waited for stays as far away as it was. */
  | { readonly type: 'CLOCK_SET'; readonly by: number }
  | { readonly type: 'RETRY' }
  | { readonly type: 'WAIT' | 'SKIP' | 'CANCEL' | 'EXPIRE'; readonly reason: string }
  | { readonly type: 'CLAIM'; readonly lease: string; readonly until: number }
  | ({ readonly type: 'HEARTBEAT'; readonly until: number } & FiringLease)
  | ({ readonly type: 'COMPLETE'; readonly agentId: string } & FiringLease)
  /** The try failed, or is to be made later without counting. */
  | ({ readonly type: 'FAIL' | 'SNOOZE'; readonly reason: string; readonly until: number } & FiringLease)
  | ({ readonly type: 'DISCARD' | 'GIVE_UP'; readonly reason: string } & FiringLease)
  /** What it needs is not available: it waits, without an attempt. */
  | ({ readonly type: 'PARK'; readonly reason: string } & FiringLease)
  /** The worker stops and releases it, without an attempt. */
  | ({ readonly type: 'RELEASE' } & FiringLease);
