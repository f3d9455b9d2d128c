import { Failure } from '#contract/failure.ts';

/** How many names and values a message may have in JSON, or fields, items and messages in binary. */
export const maxValues = 50_000;

/** The refusal of a message with more values than the limit. */
export function tooManyValues(): Failure {
  return new Failure(
    'REQUEST_TOO_COMPLEX',
    `The body has more than ${maxValues} names and values: send less at a time`,
  );
}
