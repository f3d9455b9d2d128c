import { isDatabaseFault } from './database-reason.ts';
import { Failure } from './failure.ts';

/** Whether a failure only means that the other side is unreachable or cannot write now: a retry may succeed. */
export function isTransient(error: unknown): boolean {
  if (isDatabaseFault(error)) return true;
  return error instanceof Failure && (error.code === 'unavailable' || error.code === 'deadline_exceeded');
}
