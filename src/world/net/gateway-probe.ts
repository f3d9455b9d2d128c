import { getText } from './http-text.ts';

/** How long muster may take to answer, in milliseconds. */
const answersWithin = 5_000;

/** Why muster does not answer at an address; undefined if it does. Nothing secret is sent. */
export async function probeGateway(url: string): Promise<string | undefined> {
  try {
    const { status, text } = await getText(new URL('/healthz', url).href, { withinMs: answersWithin });
    return status === 200 && isWell(text) ? undefined : `the server there is not muster (HTTP ${status})`;
  } catch (error) {
    return gatewayFault(error);
  }
}

function isWell(text: string): boolean {
  try {
    const said: unknown = JSON.parse(text);
    return typeof said === 'object' && said !== null && 'status' in said && said.status === 'ok';
  } catch {
    return false;
  }
}

/** Whether a server was refused because this machine does not know the authority of its certificate. */
export function isUnknownAuthority(error: unknown): boolean {
  return /SIGNED_CERT|UNABLE_TO_(GET|VERIFY)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

/** Why a gateway cannot be reached, in words. */
export function gatewayFault(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `nothing answers there within ${answersWithin / 1_000} s`;
  }
  const code = codeOf(error);
  const words: Readonly<Record<string, string>> = {
    ABORT_ERR: `nothing answers there`,
    ETIMEDOUT: 'nothing answers there',
    ECONNREFUSED: 'nothing listens there (connection refused)',
    ENOTFOUND: 'its name cannot be resolved',
    EAI_AGAIN: 'its name cannot be resolved at the moment',
    EHOSTUNREACH: 'there is no route to it from this machine',
    ENETUNREACH: 'there is no route to it from this machine',
    CERT_HAS_EXPIRED: 'its certificate has expired by this machine’s clock',
    CERT_NOT_YET_VALID: 'its certificate is not valid yet by this machine’s clock: set the clock',
    ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  };
  if (isUnknownAuthority(error)) {
    return 'its certificate is signed by an authority that this machine does not know (NODE_EXTRA_CA_CERTS names one)';
  }
  return words[code] ?? `it cannot be reached (${code || 'no reason was given'})`;
}
