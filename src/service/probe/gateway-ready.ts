import { httpModuleFor } from '#contract/access/http-module.ts';
import { addressesOf } from '#contract/access/loopback.ts';
import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';

/** How long the gateway may take to answer, in milliseconds. It answers within two seconds. */
const answersWithin = 4_000;
/** The longest answer that is shown, in characters. */
const maxShown = 1_000;

/** An answer over HTTP. */
interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * Checks that the gateway of these settings is ready, at its own address on this machine.
 * @throws UNAVAILABLE when it does not answer, or says what is not ready; INVALID_SETTING when its port is any free one
 */
export async function probeGateway({ bind, port, tls }: Config): Promise<void> {
  if (port === 0)
    throw new Failure('INVALID_SETTING', 'MUSTER_PORT is 0, which lets the gateway take any free port: set it', {
      field: 'MUSTER_PORT',
    });
  const [address] = addressesOf(bind);
  const hostname = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  const url = `${tls === undefined ? 'http' : 'https'}://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}/readyz`;
  const { status, text } = await ask(url).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('NOBODY_ANSWERS', `The gateway does not answer at ${url}: ${why}`, { cause });
  });
  if (status !== 200)
    throw new Failure('NOBODY_ANSWERS', `The gateway is not ready (HTTP ${status}): ${text.slice(0, maxShown)}`);
}

function ask(url: string): Promise<Answer> {
  // The certificate names the address that others use. Nothing secret is sent, and the answer is only a health check's.
  const options = { rejectUnauthorized: false, timeout: answersWithin, agent: false as const };
  return new Promise((resolve, reject) => {
    const request = httpModuleFor(url).get(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${answersWithin / 1_000} s`)));
    request.on('error', reject);
  });
}
