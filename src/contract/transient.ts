import { isDatabaseFault } from './database-reason.ts';
import { Failure } from './failure.ts';

/**
 * Whether a failure only says that the other side cannot be reached, or cannot write, just now: the same may succeed
 * later.
 */
export function isTransient(error: unknown): boolean {
  if (isDatabaseFault(error)) return true;
  return error instanceof Failure && (error.code === 'unavailable' || error.code === 'deadline_exceeded');
}
