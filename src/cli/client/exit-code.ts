import type { FailureCode } from '#contract/reason/failure-code.ts';

/** The exit codes by failure code. An invalid command line is an invalid_argument too. */
const exitCodes: Readonly<Partial<Record<FailureCode, number>>> = {
  invalid_argument: 2,
  not_found: 4,
  already_exists: 5,
  failed_precondition: 6,
  aborted: 6,
  resource_exhausted: 7,
  unauthenticated: 8,
  permission_denied: 8,
  unavailable: 9,
  deadline_exceeded: 10,
};

/** The exit code of a failure; 1 for every code without one of its own. */
export function exitCodeOf(code: FailureCode): number {
  return exitCodes[code] ?? 1;
}
