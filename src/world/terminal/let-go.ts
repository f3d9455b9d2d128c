import { Failure } from '#contract/failure.ts';

/** Why a terminal that was let go works for nobody any more. */
export function letGo(): Failure {
  return new Failure('failed_precondition', 'this terminal was let go; ask for the family again');
}
