import type { FailureCode } from './failure-code.ts';

/** The meaning of a failure's reason: its code, when it applies, and its metadata by key. */
export interface ReasonMeaning {
  readonly code: FailureCode;
  /** When the reason applies, in a sentence. */
  readonly meaning: string;
  /** The meaning of each key of its metadata. Every failure with this reason has all of them. */
  readonly metadata?: Readonly<Record<string, string>>;
}
