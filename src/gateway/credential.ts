import { hash } from 'node:crypto';
import { Failure } from '#contract/failure.ts';

const bearer = /^Bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i;

/**
 * What stands for a bearer token from here on: its SHA-256 in hex. The token itself goes no further. Undefined where
 * there is no token or none that is well formed.
 */
export function credentialOf(authorization: string | null | undefined): string | undefined {
  const token = bearer.exec(authorization ?? '')?.[1];
  return token === undefined ? undefined : hash('sha256', token, 'hex');
}

/** Refuses a call that names no caller. */
export function noCredential(): Failure {
  return new Failure(
    'unauthenticated',
    'The call names no caller: send the header "Authorization: Bearer <token>" with your own token',
  );
}
