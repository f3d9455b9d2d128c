import { hash, randomBytes } from 'node:crypto';
import { boundToken } from '#contract/access/session-token.ts';
import { Failure } from '#contract/failure.ts';

const bearer = /^Bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i;
/** Under which a session whose proof was checked is in this process. Nobody outside can know it. */
const provenScheme = `Proven-${randomBytes(24).toString('hex')}`;

/**
 * What stands for a bearer token, or for a session whose proof was checked, from here on: its SHA-256 in hex. The token
 * itself goes no further. Undefined if there is no token or none that is well formed.
 */
export function credentialOf(authorization: string | null | undefined): string | undefined {
  const given = authorization ?? '';
  if (given.startsWith(`${provenScheme} `)) return given.slice(provenScheme.length + 1);
  const token = bearer.exec(given)?.[1];
  return token === undefined ? undefined : sha256(token);
}

/** What a request of a browser whose proof was checked carries from then on in place of its token. */
export function sessionAuthorization(token: string, keyThumbprint: string): string {
  return `${provenScheme} ${sha256(boundToken(token, keyThumbprint))}`;
}

/** Refuses a call that names no caller. */
export function noCredential(): Failure {
  return new Failure(
    'CREDENTIAL_MISSING',
    'The call names no caller: send the header "Authorization: Bearer <token>" with your own token',
  );
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
