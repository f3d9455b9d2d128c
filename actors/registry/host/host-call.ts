import type { z } from 'zod';
import type { HostLines } from '#bus/host-line/host-lines.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import { isOnline } from './online.ts';

/** How long a host may take to answer, in milliseconds. */
const hostAnswersWithin = 5_000;

/** A question to a host. */
export interface HostCall<Request extends z.ZodType, Response extends z.ZodType> {
  readonly verb: string;
  readonly request: Request;
  readonly response: Response;
}

/** The host that is asked; its row, if there is one, says whether it is worth it. */
export type AskedHost = Pick<StoredHost, 'id' | 'name'> & Partial<Pick<StoredHost, 'snapshot' | 'seenAt'>>;

/**
 * Asks a host something.
 * @throws Failure of the host; UNAVAILABLE when it does not answer, and at once if it is lost
 */
export async function askHost<Q extends z.ZodType, A extends z.ZodType>(
  lines: Pick<HostLines, 'ask'>,
  host: AskedHost,
  call: HostCall<Q, A>,
  request: z.input<Q>,
  timeoutMs = hostAnswersWithin,
): Promise<z.output<A>> {
  refuseLost(host);
  try {
    const answer = await lines.ask(host.id, call.verb, request as object, timeoutMs);
    return parseRequest(call.response, answer);
  } catch (error) {
    if (!isSilence(error)) throw error;
    const said =
      error.code === 'deadline_exceeded'
        ? `${whoIs(host)} has not answered within ${timeoutMs / 1_000} s: its terminal or the host itself may hang; try again`
        : `${whoIs(host)} does not answer: start \`muster host\` on it, or try again`;
    throw new Failure('HOST_SILENT', said, { cause: error });
  }
}

/** Whether a failure says that a host was asked and did not answer. */
export function isSilence(error: unknown): error is Failure {
  return error instanceof Failure && error.isFor('HOST_SILENT', 'HOST_TIMED_OUT', 'OUTCOME_UNKNOWN');
}

/** A host as messages name it. */
export function whoIs({ name, id }: Pick<StoredHost, 'id' | 'name'>): string {
  return `Host ${name} (${id})`;
}

/** @throws UNAVAILABLE when a host is known not to answer: nothing is asked of it then */
function refuseLost(host: AskedHost): void {
  const { snapshot, seenAt } = host;
  if (snapshot === undefined || isOnline({ snapshot })) return;
  const since = seenAt === undefined ? '' : ` since ${new Date(seenAt).toISOString()}`;
  throw new Failure(
    'HOST_LOST',
    `${whoIs(host)} has been silent${since}, so muster sent it nothing: start \`muster host\` on it, or fix its connection`,
  );
}
