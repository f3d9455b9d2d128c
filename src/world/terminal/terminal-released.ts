import { Failure } from '#contract/failure.ts';

/** The error of a terminal that is used after it was released. */
export function terminalReleased(): Failure {
  return new Failure('TERMINAL_RELEASED', 'this terminal was released; ask for the family again');
}
