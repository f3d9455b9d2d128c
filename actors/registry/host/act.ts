import type { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { type AskedHost, askHost, type HostCall, isSilence, whoIs } from './host-call.ts';
import type { HostScope } from './host-scope.ts';

/** How long a host may take to say the result of something once it may do no more, in milliseconds. */
const answersWithin = 2_000;

/** How long something may take, and what decides at the last moment whether it is done. */
interface Act {
  /** How long the caller waits, in milliseconds. */
  readonly withinMs: number;
  /** How much of that must be left when it begins. */
  readonly minMs: number;
  /** Returns the agent as it is then. @throws Failure when it is not to be done */
  readonly decide: () => Promise<AgentRecord>;
}

/**
 * Has a host do something that cannot be taken back. It asks for its permit first; what it has not begun when its
 * caller is answered is never done.
 * @throws Failure of the host; UNAVAILABLE when it was surely not done, DEADLINE_EXCEEDED when the host has begun and
 * not said the result
 */
export async function haveDone<Q extends z.ZodType, A extends z.ZodType>(
  { lines, permits }: Pick<HostScope, 'lines' | 'permits'>,
  host: AskedHost,
  call: HostCall<Q, A>,
  request: Omit<z.input<Q> & object, 'ticket'>,
  { withinMs, minMs, decide }: Act,
): Promise<z.output<A>> {
  const permit = permits.open(host.id, { withinMs: withinMs - answersWithin, minMs, decide });
  try {
    const asked = { ...request, ticket: permit.ticket } as z.input<Q>;
    return await askHost(lines, host, call, asked, withinMs);
  } catch (error) {
    if (!permit.isGranted) throw surelyNot(error);
    if (!isSilence(error)) throw error;
    throw new Failure(
      'OUTCOME_UNKNOWN',
      `${whoIs(host)} started it and did not report the result: it may have been done, so check before you try again`,
      { cause: error },
    );
  } finally {
    permit.close();
  }
}

/** What failed before anything was begun, in no doubt. */
function surelyNot(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== 'deadline_exceeded') return error;
  return new Failure('CALL_NOT_BEGUN', error.message, { cause: error });
}
