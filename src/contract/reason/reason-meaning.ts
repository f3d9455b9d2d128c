import type { FailureCode } from './failure-code.ts';

/**
 * What a reason of a refusal says: the code that it travels under, when it is given, and what its metadata holds, by
 * key.
 */
export interface ReasonMeaning {
  readonly code: FailureCode;
  /** A sentence: what is so when it is given. */
  readonly meaning: string;
  /** What is under each key of its metadata. A reason that documents a key always gives it. */
  readonly metadata?: Readonly<Record<string, string>>;
}
