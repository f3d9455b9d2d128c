import { Failure } from '#contract/failure.ts';

/** Why a terminal that was released works for nobody any more. */
export function letGo(): Failure {
  return new Failure('TERMINAL_RELEASED', 'this terminal was let go; ask for the family again');
}
