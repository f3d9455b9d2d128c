import type { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { askHost, describeHost, type HostCall, isSilence, type TargetHost } from './host-call.ts';
import type { HostScope } from './host-scope.ts';

/** How long a host may take to report the result once its permit has expired, in milliseconds. */
const answersWithin = 2_000;

/** The time limits of an action, and the decision that permits it. */
interface PermittedAct {
  /** How long the caller waits, in milliseconds. */
  readonly withinMs: number;
  /** How much of that must be left when the action begins, in milliseconds. */
  readonly minMs: number;
  /** Called right before the action begins. Returns the current agent. @throws Failure to refuse the action */
  readonly decide: () => Promise<AgentRecord>;
}

/**
 * Asks a host to do something that cannot be undone. The host requests a permit before it begins, and gets none after
 * this call has returned.
 * @throws Failure of the host; UNAVAILABLE when it was certainly not done; DEADLINE_EXCEEDED when the host has begun it
 *   and has not reported the result
 */
export async function askWithPermit<Q extends z.ZodType, A extends z.ZodType>(
  { lines, permits }: Pick<HostScope, 'lines' | 'permits'>,
  host: TargetHost,
  call: HostCall<Q, A>,
  request: Omit<z.input<Q> & object, 'ticket'>,
  { withinMs, minMs, decide }: PermittedAct,
): Promise<z.output<A>> {
  const permit = permits.open(host.id, { withinMs: withinMs - answersWithin, minMs, decide });
  try {
    const asked = { ...request, ticket: permit.ticket } as z.input<Q>;
    return await askHost(lines, host, call, asked, withinMs);
  } catch (error) {
    if (!permit.isGranted) throw notBegun(error);
    if (!isSilence(error)) throw error;
    throw new Failure(
      'OUTCOME_UNKNOWN',
      `${describeHost(host)} started it and did not report the result: it may have been done, so check before you try again`,
      { cause: error },
    );
  } finally {
    permit.close();
  }
}

/** The error of a call that failed before the host had its permit: nothing was done, so its outcome is certain. */
function notBegun(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== 'deadline_exceeded') return error;
  return new Failure('CALL_NOT_BEGUN', error.message, { cause: error });
}
