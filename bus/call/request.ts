import { errors } from '@nats-io/nats-core';
import type { ExchangeOptions, RequestOptions } from '#bus/bus.ts';
import { encodeBody, progressHeader, requestHeaders } from '#bus/codec.ts';
import type { CallerSeal } from '#bus/seal/sealed-call.ts';
import { checkSubject } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import { type Inbox, Silence } from './inbox.ts';
import { readOutcome } from './outcome.ts';

/** Sends a request over an open connection; see `Bus.request` for the errors. */
export async function ask(
  { inbox, seal }: Requester,
  subject: string,
  body: unknown,
  { timeoutMs, headers, silenceMs, sealTo, isSecret = false }: RequestOptions,
): Promise<unknown> {
  if (isSecret && sealTo === undefined) {
    throw new Failure('SEAL_KEY_MISSING', `The request on ${subject} has a secret, and no key to seal it to`);
  }
  const question = seal.question(subject, encodeBody(body), sealTo);
  const outcome = await exchange(inbox, subject, question.data, {
    timeoutMs,
    ...(silenceMs !== undefined && { silenceMs }),
    headers: { ...headers, ...question.headers },
    take(incoming) {
      const answer = question.open(incoming);
      return answer && { answer };
    },
  });
  return readOutcome(outcome);
}

/** The dependencies of sending requests. */
export interface Requester {
  readonly inbox: Inbox;
  readonly seal: CallerSeal;
}

/** Exchanges bytes over an open connection; see `Bus.exchange` for the errors. */
export async function exchange<T>(
  inbox: Inbox,
  subject: string,
  data: Uint8Array,
  { timeoutMs, headers, ...options }: ExchangeOptions<T> & Pick<RequestOptions, 'headers'>,
): Promise<T> {
  const timeout = Math.max(1, Math.ceil(timeoutMs));
  try {
    return await inbox.ask({
      ...options,
      subject: checkSubject(subject),
      data,
      timeoutMs: timeout,
      headers: requestHeaders(timeout, {
        ...headers,
        ...(options.silenceMs !== undefined && { [progressHeader]: 'wanted' }),
      }),
    });
  } catch (error) {
    throw asFailure(error, subject, timeout, data.length);
  }
}

function asFailure(error: unknown, subject: string, timeoutMs: number, bytes: number): Failure {
  const because = { cause: error };
  if (error instanceof Failure) return error;
  if (error instanceof Silence) {
    return new Failure(
      'RESPONDER_LOST',
      `The responder of ${subject} has stopped answering: it may have been done, so check before you try again`,
      because,
    );
  }
  if (error instanceof errors.TimeoutError) {
    return new Failure('NO_ANSWER', `No answer on ${subject} within ${timeoutMs} ms`, because);
  }
  if (error instanceof errors.InvalidArgumentError) {
    return new Failure(
      'MESSAGE_TOO_LARGE',
      `A request of ${bytes} bytes on ${subject} is larger than the bus allows: send less at a time`,
      because,
    );
  }
  if (error instanceof errors.RequestError && error.isNoResponders()) {
    return new Failure('NOBODY_ANSWERS', `Nobody answers on ${subject} right now: try again`, { ...because });
  }
  if (error instanceof errors.RequestError && error.cause instanceof errors.PermissionViolationError) {
    return new Failure('INTERNAL', `The bus does not allow this process to ask ${subject}`, because);
  }
  return new Failure('BUS_UNAVAILABLE', `The bus cannot be reached for ${subject}: try again`, because);
}
