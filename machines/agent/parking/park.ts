import type { AccountLimit } from '#contract/agent/park.ts';

/** The limit of its account that an agent's screen shows. */
export interface ShownLimit extends AccountLimit {
  /** The words that show it: the end counts from when they appeared first. */
  readonly said: string;
}

/** Why and until when an agent is parked. Times are in milliseconds since 1970. */
export interface AgentPark {
  readonly reason: AccountLimit['kind'] | 'person';
  readonly since: number;
  /** Until when; undefined if only a person ends it. */
  readonly until?: number | undefined;
  /** When its screen is read again: some time after `until`, and not that of all agents at once. */
  readonly due?: number | undefined;
  /** The account, in words; undefined if a person parked this agent alone. */
  readonly account?: string | undefined;
  /** Whether it is asked to continue then. */
  readonly resume: boolean;
  /** The end that its screen shows, if `until` is earlier because that is too far ahead to rely on. */
  readonly shownUntil?: number | undefined;
  /** How often its screen was read again, because no end is known; undefined if one is. */
  readonly looks?: number | undefined;
  /** Set once its time is over, while its CLI says that it continues by itself: it is not parked any more once it works. */
  readonly continues?: true | undefined;
}

/** How a parked agent's screen was when it was read again. */
export type ResumeOutcome = 'continued' | 'left' | 'failed' | 'looked';

/** The name of the deadline of a parked agent. */
export const parkDeadline = 'park';
