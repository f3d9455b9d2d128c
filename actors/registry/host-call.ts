import type { z } from 'zod';
import type { HostLines } from '#bus/host-lines.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse.ts';
import type { StoredHost } from '#store/host-entity.ts';

/** How long a host may take to answer, in milliseconds. */
const hostAnswersWithin = 5_000;

/** A question to a host. */
export interface HostCall<Request extends z.ZodType, Response extends z.ZodType> {
  readonly verb: string;
  readonly request: Request;
  readonly response: Response;
}

/**
 * Asks a host something.
 * @throws Failure of the host; `unavailable` where it does not answer.
 */
export async function askHost<Q extends z.ZodType, A extends z.ZodType>(
  lines: Pick<HostLines, 'ask'>,
  host: Pick<StoredHost, 'id' | 'name'>,
  call: HostCall<Q, A>,
  request: z.input<Q>,
  timeoutMs = hostAnswersWithin,
): Promise<z.output<A>> {
  try {
    const answer = await lines.ask(host.id, call.verb, request, timeoutMs);
    return parseRequest(call.response, answer);
  } catch (error) {
    if (!(error instanceof Failure) || !['unavailable', 'deadline_exceeded'].includes(error.code)) throw error;
    const who = `Host ${host.name} (${host.id})`;
    const said =
      error.code === 'deadline_exceeded'
        ? `${who} has not answered within ${timeoutMs / 1_000} s: its terminal may hang, or the host itself; try again`
        : `${who} does not answer: start \`muster host\` on it, or try again`;
    throw new Failure('unavailable', said, { cause: error });
  }
}
