import type { Bus } from '#bus/bus.ts';
import { requestWithFailover } from '#bus/request-with-failover.ts';
import { authCheckSubject } from '#bus/subjects.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';

const authCheckMs = 5_000;
/**
 * How long a registry may be silent, in milliseconds, before the next one is tried, and the maximum number of tries.
 */
const [silenceMs, maxTries] = [1_500, 3];

/**
 * Asks the registry who holds a credential, waiting up to `timeoutMs`.
 * @throws UNAUTHENTICATED when there is none, UNAVAILABLE when the registry does not answer within the full time,
 * DEADLINE_EXCEEDED when it does not answer within a shorter `timeoutMs`
 */
export async function askCaller(bus: Bus, credential: string, timeoutMs: number = authCheckMs): Promise<Caller> {
  const within = { timeoutMs: Math.min(timeoutMs, authCheckMs), silenceMs, maxTries };
  try {
    const { caller } = (await requestWithFailover(bus, authCheckSubject, { credential }, within)) as {
      readonly caller: Caller;
    };
    return caller;
  } catch (error) {
    const isSilent = error instanceof Failure && error.code === 'deadline_exceeded' && timeoutMs >= authCheckMs;
    if (!isSilent) throw error;
    throw new Failure('REGISTRY_SILENT', 'The registry does not answer: try again in a moment', { cause: error });
  }
}
