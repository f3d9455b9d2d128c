import { Failure } from '#contract/failure.ts';
import { type FailureCode, failureCodes } from '#contract/reason/failure-code.ts';
import { traceHeader } from '#contract/tracer.ts';
import { type Connection, tokenFile } from './connection.ts';
import { type Answer, type PostRequest, postTo } from './post.ts';
import { type ConnectErrorJson, refusalIn } from './refusal.ts';

/** How long a call may take, in milliseconds. A watch has no end. */
const callTimeoutMs = 30_000;

/** The failure code of an answer without Connect's error body, by HTTP status. */
const codeOfStatus: Readonly<Record<number, FailureCode>> = {
  400: 'internal',
  401: 'unauthenticated',
  403: 'permission_denied',
  404: 'unimplemented',
  429: 'unavailable',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/**
 * Calls an operation by its path and returns its response.
 * @throws Failure with the service's own code and message, or UNAVAILABLE when it cannot be reached.
 */
export async function call(connection: Connection, path: string, request: unknown): Promise<unknown> {
  const answer = await post(connection, path, {
    headers: { 'content-type': 'application/json', 'connect-timeout-ms': String(callTimeoutMs) },
    body: JSON.stringify(request),
    limitMs: callTimeoutMs + 1_000,
  });
  try {
    return JSON.parse(await answer.text());
  } catch (error) {
    throw networkFailure(connection, error);
  }
}

/** Posts to an operation. @throws Failure when the answer is not 200 */
export async function post(connection: Connection, path: string, init: PostRequest): Promise<Answer> {
  const headers = { ...init.headers, 'connect-protocol-version': '1' };
  const answer = await send(connection, path, { ...init, headers });
  if (answer.status === 200) return answer;
  throw await answeredFailure(connection, path, answer.status, await textOf(answer));
}

/** Posts to a path of the service, with the caller's token. @throws UNAVAILABLE when it cannot be reached */
export async function send(connection: Connection, path: string, init: PostRequest): Promise<Answer> {
  const { baseUrl, token, trace } = connection;
  const headers = {
    ...init.headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(trace === undefined ? {} : { [traceHeader]: trace }),
  };
  try {
    const answer = await postTo(`${baseUrl}/${path}`, { ...init, headers });
    // A redirect is not followed, because the token is for this address only.
    if (answer.status >= 300 && answer.status < 400) throw new Error(`it answers with a redirect (${answer.status})`);
    return answer;
  } catch (error) {
    throw networkFailure(connection, error);
  }
}

/** The failure of a connection: the service is not running, too slow, or the answer was interrupted. */
export function networkFailure({ baseUrl }: Connection, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const name = error instanceof Error ? error.name : '';
  const because = { cause: error };
  if (name === 'TimeoutError') {
    return new Failure(
      'NO_ANSWER',
      `muster at ${baseUrl} did not answer within ${callTimeoutMs / 1000} s: see \`muster logs\``,
      because,
    );
  }
  if (error instanceof SyntaxError) {
    return new Failure(
      'SERVICE_UNREACHABLE',
      `the server at ${baseUrl} is not muster: it did not answer in JSON`,
      because,
    );
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ECONNREFUSED') {
    return new Failure(
      'SERVICE_UNREACHABLE',
      `muster is not running at ${baseUrl}: start it with muster start, or set MUSTER_PORT or MUSTER_URL to where it runs`,
      because,
    );
  }
  const said = cause instanceof Error ? cause.message : String(cause);
  return new Failure('SERVICE_UNREACHABLE', `muster at ${baseUrl} cannot be reached: ${said || code}`, because);
}

/** The failure in an answer, from its HTTP status and body. */
export async function answeredFailure(
  connection: Connection,
  path: string,
  status: number,
  text: string,
): Promise<Failure> {
  const body = errorIn(text);
  if (body === undefined) {
    const code = codeOfStatus[status] ?? 'unknown';
    const message = `${connection.baseUrl}/${path} answered HTTP ${status} without a reason: check that it is muster, in this version`;
    return Failure.fromJSON({ code, message });
  }
  const failure = await refusalIn(body);
  return failure.code === 'unauthenticated' ? notKnown(connection, failure) : failure;
}

/** Explains an unknown token: usually the service runs on another state folder. */
function notKnown({ baseUrl, token, home }: Connection, failure: Failure): Failure {
  if (home === undefined) return failure.saying(`${failure.message} (the token was taken from SERVICE_TOKEN)`);
  const looked =
    token === undefined ? `there is no ${tokenFile} in ${home}` : `it does not accept the ${tokenFile} in ${home}`;
  return failure.saying(
    `muster at ${baseUrl} uses another state folder than this command: ${looked}. Set MUSTER_HOME to the folder that ` +
      'it was started with; or, to reach another muster, MUSTER_PORT or MUSTER_URL',
  );
}

/** The text of an answer; empty if it is interrupted. */
function textOf(answer: Answer): Promise<string> {
  return answer.text().catch(() => '');
}

function errorIn(text: string): ConnectErrorJson | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const isError =
      typeof body === 'object' &&
      body !== null &&
      'code' in body &&
      typeof body.code === 'string' &&
      body.code in failureCodes;
    return isError ? body : undefined;
  } catch {
    return undefined;
  }
}
