import type { FailureCode } from './failure-code.ts';

/** The meaning of a refusal's reason: its code, when it applies, and its metadata by key. */
export interface ReasonMeaning {
  readonly code: FailureCode;
  /** A sentence: what holds when the reason applies. */
  readonly meaning: string;
  /** The meaning of each key of its metadata. A reason that documents a key always gives it. */
  readonly metadata?: Readonly<Record<string, string>>;
}
