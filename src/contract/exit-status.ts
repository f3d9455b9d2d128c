import type { FailureCode } from './failure.ts';

const statuses: Partial<Record<FailureCode, number>> = {
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

/** The exit status of a command that ended with a failure of this code; 1 for every code without a status of its own. */
export function exitStatusOf(code: FailureCode): number {
  return statuses[code] ?? 1;
}
