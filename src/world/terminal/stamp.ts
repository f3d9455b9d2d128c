import { Failure } from '#contract/failure.ts';

/** Refuses a stamp that could not be read back. @throws INVALID_ARGUMENT */
export function checkStamp(stamp: string): void {
  if (!/^[\u0020-\u007e]{0,200}$/.test(stamp))
    throw new Failure('INVALID_VALUE', 'a stamp is at most 200 printable ASCII characters');
}
