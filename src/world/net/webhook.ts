/** The time limit for the receiver, in milliseconds. */
const timeoutMs = 10_000;

/**
 * Posts a JSON text to an address. Returns why it was not delivered; empty if it was. Redirections are not followed.
 */
export async function post(address: string, json: string): Promise<string> {
  try {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'muster' },
      body: json,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.body?.cancel();
    return answer.ok ? '' : `the other side answered ${answer.status}`;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}
