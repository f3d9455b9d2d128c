import { Failure } from '#contract/failure.ts';
import { ForgeError } from '#world/forge/forge-error.ts';
import { forgeFailure } from './forge-failure.ts';

/** The time limit for all requests of one call, in milliseconds: less than a caller waits. */
const patienceMs = 25_000;

/**
 * Sends requests to a forge within the caller's deadline.
 * @throws Failure
 */
export async function asking<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    return await ask(signal);
  } catch (error) {
    if (error instanceof ForgeError) throw forgeFailure(error);
    if (error !== signal.reason) throw error;
    throw new Failure(
      'FORGE_TIMED_OUT',
      `The forge did not answer everything within ${patienceMs / 1_000} s: try again, with a smaller page`,
    );
  }
}
