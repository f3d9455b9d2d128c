/** What a firing's machine is born with. */
export interface FiringInput {
  readonly state: 'available' | 'scheduled' | 'pending' | 'cancelled';
  readonly maxAttempts: number;
  /** When one that is scheduled is due, in milliseconds since 1970. */
  readonly until: number | null;
  /** Why it waits or was skipped; empty where neither. */
  readonly message: string;
  /** Whether a person fired it, whom no time limits and no agent of an earlier run holds up. */
  readonly byHand?: boolean;
}

/** What a firing's machine remembers. */
export interface FiringContext {
  readonly bornAs: FiringInput['state'];
  /** Which try this is: zero until it is first worked at. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** What the worker that holds it must name; null while nobody does. */
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

/** What proves that a worker holds a firing. */
export interface Hold {
  readonly attempt: number;
  readonly lease: string;
}

/** Everything that can happen to a firing. Times are milliseconds since 1970. */
export type FiringEvent =
  /** What it waited for is there; it is due at once or later. */
  | { readonly type: 'READY'; readonly until: number | null }
  /** Time has come, or a lease has ended; `until` is when a try that was lost is made again. */
  | { readonly type: 'DUE'; readonly now: number; readonly until: number; readonly reason: string }
  /** The clock was set by so many milliseconds: what is waited for stays as far away as it was. */
  | { readonly type: 'CLOCK_SET'; readonly by: number }
  | { readonly type: 'RETRY' }
  | { readonly type: 'WAIT' | 'SKIP' | 'CANCEL' | 'EXPIRE'; readonly reason: string }
  | { readonly type: 'CLAIM'; readonly lease: string; readonly until: number }
  | ({ readonly type: 'HEARTBEAT'; readonly until: number } & Hold)
  | ({ readonly type: 'COMPLETE'; readonly agentId: string } & Hold)
  /** The try failed, or is to be made later without counting. */
  | ({ readonly type: 'FAIL' | 'SNOOZE'; readonly reason: string; readonly until: number } & Hold)
  | ({ readonly type: 'DISCARD' | 'GIVE_UP'; readonly reason: string } & Hold)
  /** What it needs is not there: it waits for that, untried. */
  | ({ readonly type: 'PARK'; readonly reason: string } & Hold)
  /** The worker stops and gives it back untried. */
  | ({ readonly type: 'RELEASE' } & Hold);
