import { contextReader } from '#machines/context-reader.ts';

/** How closely a repository is watched: an agent at work has a pull request open, an agent is at work, or neither. */
export const sweepPaces = ['watched', 'live', 'idle'] as const;
export type SweepPace = (typeof sweepPaces)[number];

/** The initial input of a repository's machine. Times are milliseconds since 1970. */
export interface SweepInput {
  readonly now: number;
  readonly pace: SweepPace;
}

/** The context of a repository's machine. */
export interface SweepContext {
  readonly pace: SweepPace;
  /** The lease that a sweeper must name; null while no sweeper has it. */
  readonly lease: string | null;
  /** When it is due, or its lease ends; null if neither. */
  readonly until: number | null;
  /** The forge must not be asked before this time; null if it names none. */
  readonly notBefore: number | null;
  /** When the next sweep is due while single pull requests are read again. */
  readonly nextAt: number;
  /** How often incomplete pull requests were read again since the last sweep. */
  readonly rereads: number;
  /** How many sweeps have failed in a row, and the error of the last one. */
  readonly failures: number;
  readonly reason: string;
  /** Whether a sweep was requested during another one. */
  readonly again: boolean;
  /** Whether a sweep has ever completed. */
  readonly read: boolean;
}

/** Reads the context of a repository's machine from a stored snapshot. */
export const readSweepContext = contextReader<SweepContext>('sweep', {
  pace: ['string'],
  lease: ['string', 'null'],
  until: ['number', 'null'],
  notBefore: ['number', 'null'],
  nextAt: ['number'],
  rereads: ['number'],
  failures: ['number'],
  reason: ['string'],
  again: ['boolean'],
  read: ['boolean'],
});

/** Everything that can happen to a repository that is swept. `spread` is a random number from 0 to 1. */
export type SweepEvent =
  /** Agents use it, at this pace. */
  | { readonly type: 'WANTED'; readonly now: number; readonly pace: SweepPace; readonly spread: number }
  /** No agent uses it now, or its forge is no longer connected. */
  | { readonly type: 'UNWANTED' }
  /** A sweep is requested now. */
  | { readonly type: 'NUDGE'; readonly now: number }
  /** The forge must not be asked before a time. */
  | { readonly type: 'PAUSE'; readonly until: number }
  | { readonly type: 'CLAIM'; readonly now: number; readonly lease: string; readonly until: number }
  /** The sweeper is alive; its lease ends later. */
  | { readonly type: 'HEARTBEAT'; readonly lease: string; readonly until: number }
  /**
   * The sweep is complete. `stretch` lengthens the time to the next sweep; `unsettled` means that the forge's data on
   * some pull requests was incomplete.
   */
  | {
      readonly type: 'DONE';
      readonly lease: string;
      readonly now: number;
      readonly spread: number;
      readonly stretch: number;
      readonly unsettled: boolean;
    }
  | {
      readonly type: 'FAILED';
      readonly lease: string;
      readonly now: number;
      readonly spread: number;
      readonly reason: string;
      /** When the forge accepts requests again, if it names a time. */
      readonly retryAt: number | null;
    }
  /** The sweeper stops and releases the lease. */
  | { readonly type: 'RELEASE'; readonly lease: string; readonly now: number }
  /** Its lease has expired. */
  | { readonly type: 'LOST'; readonly now: number };
