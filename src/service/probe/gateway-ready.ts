import { addressesOf } from '#contract/access/loopback.ts';
import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { getText } from '#world/net/http-text.ts';

/** How long the gateway may take to answer, in milliseconds. It answers within two seconds. */
const answersWithin = 4_000;
/** The longest answer that is shown, in characters. */
const maxShown = 1_000;

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
  // The certificate names the address that others use. Nothing secret is sent, and the answer is only a health check's.
  const question = { withinMs: answersWithin, checksCertificate: false };
  const { status, text } = await getText(url, question).catch((cause: unknown) => {
    const why = isTimeout(cause) ? `no answer within ${answersWithin / 1_000} s` : textOf(cause);
    throw new Failure('NOBODY_ANSWERS', `The gateway does not answer at ${url}: ${why}`, { cause });
  });
  if (status !== 200)
    throw new Failure('NOBODY_ANSWERS', `The gateway is not ready (HTTP ${status}): ${text.slice(0, maxShown)}`);
}

const isTimeout = (cause: unknown): boolean => cause instanceof Error && cause.name === 'TimeoutError';
const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
