import type { z } from 'zod';
import type { HostLines } from '#bus/host-line/host-lines.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import { isOnline, isRemoved } from './online.ts';

/** How long a host may take to answer, in milliseconds. */
const hostAnswersWithin = 5_000;

/** A kind of request to hosts. */
export interface HostCall<Request extends z.ZodType, Response extends z.ZodType> {
  readonly verb: string;
  readonly request: Request;
  readonly response: Response;
}

/** Sends requests to hosts. */
export type HostRequester = Pick<HostLines, 'ask' | 'endRevoked'>;

/**
 * The host that a request goes to. With its whole row, a request to a lost host fails at once, and sessions that the
 * row does not admit are not used.
 */
export type TargetHost = Pick<StoredHost, 'id' | 'name'> &
  Partial<Pick<StoredHost, 'snapshot' | 'seenAt' | 'key' | 'keyEpoch' | 'holder'>>;

/**
 * Sends a request to a host and returns its answer.
 * @throws Failure of the host; UNAVAILABLE when it does not answer, at once if it is lost
 */
export async function askHost<Q extends z.ZodType, A extends z.ZodType>(
  lines: HostRequester,
  host: TargetHost,
  call: HostCall<Q, A>,
  request: z.input<Q>,
  timeoutMs = hostAnswersWithin,
): Promise<z.output<A>> {
  refuseLost(host);
  const { keyEpoch } = host;
  if (keyEpoch !== undefined) lines.endRevoked(host.id, { ...host, keyEpoch });
  try {
    const answer = await lines.ask(host.id, call.verb, request as object, timeoutMs);
    return parseRequest(call.response, answer);
  } catch (error) {
    if (!isSilence(error)) throw error;
    const said =
      error.code === 'deadline_exceeded'
        ? `${describeHost(host)} has not answered within ${timeoutMs / 1_000} s: its terminal or the host itself may hang; try again`
        : `${describeHost(host)} does not answer: start \`muster host\` on it, or try again`;
    throw new Failure('HOST_SILENT', said, { cause: error });
  }
}

/** Whether a failure means that a host did not answer a request. */
export function isSilence(error: unknown): error is Failure {
  return error instanceof Failure && error.isFor('HOST_SILENT', 'HOST_TIMED_OUT', 'OUTCOME_UNKNOWN');
}

/** The text that names a host in messages. */
export function describeHost({ name, id }: Pick<StoredHost, 'id' | 'name'>): string {
  return `Host ${name} (${id})`;
}

/** @throws UNAVAILABLE when the host is lost */
function refuseLost(host: TargetHost): void {
  const { snapshot, seenAt } = host;
  if (snapshot === undefined || isOnline({ snapshot })) return;
  if (isRemoved({ snapshot })) {
    throw new Failure(
      'HOST_LOST',
      `${describeHost(host)} was removed, so muster sent it nothing: \`muster move --from-last-round\` moves an agent whose round was kept, and ` +
        '`muster delete --abandon` gives one up',
    );
  }
  const since = seenAt === undefined ? '' : ` since ${new Date(seenAt).toISOString()}`;
  throw new Failure(
    'HOST_LOST',
    `${describeHost(host)} has been silent${since}, so muster sent it nothing: start \`muster host\` on it, or fix its connection`,
  );
}
