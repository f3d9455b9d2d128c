import { Failure } from '#contract/failure.ts';

/** Refuses a stamp that could not be read back. @throws Failure `invalid_argument` */
export function checkStamp(stamp: string): void {
  if (!/^[\u0020-\u007e]{0,200}$/.test(stamp))
    throw new Failure('invalid_argument', 'a stamp is at most 200 printable ASCII characters');
}
