import { hash, randomBytes } from 'node:crypto';
import { boundToken } from '#contract/access/session-token.ts';
import { Failure } from '#contract/failure.ts';

const bearer = /^Bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i;
/** The internal scheme for sessions whose proof was checked. It is unknown outside this process. */
const provenScheme = `Proven-${randomBytes(24).toString('hex')}`;

/**
 * The credential for a bearer token, or for a session whose proof was checked: its SHA-256 in hex. The token itself is
 * not passed on. Undefined without a well-formed token.
 */
export function credentialOf(authorization: string | null | undefined): string | undefined {
  const given = authorization ?? '';
  if (given.startsWith(`${provenScheme} `)) return given.slice(provenScheme.length + 1);
  const token = bearer.exec(given)?.[1];
  return token === undefined ? undefined : sha256(token);
}

/** The internal Authorization header of a session whose proof was checked. */
export function sessionAuthorization(token: string, keyThumbprint: string): string {
  return `${provenScheme} ${sha256(boundToken(token, keyThumbprint))}`;
}

/** The failure of a call without credentials. */
export function noCredential(): Failure {
  return new Failure(
    'CREDENTIAL_MISSING',
    'The call names no caller: send the header "Authorization: Bearer <token>" with your own token',
  );
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
