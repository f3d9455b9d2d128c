import type { ClaimsData } from '@nats-io/jwt';
import { isSignedBy } from './nkey.ts';

/**
 * The claims of a NATS JWT, verified against its issuer's key. The caller must check that it trusts the issuer.
 * @throws Error when it is not a JWT, or is signed by another key
 */
export function readClaims<T = object>(jwt: string): ClaimsData<T> {
  const [header = '', body = '', signature = '', ...more] = jwt.split('.');
  const { typ, alg } = partOf<{ readonly typ?: string; readonly alg?: string }>(header);
  const claims = partOf<ClaimsData<T>>(body);
  if (more.length > 0 || typ?.toUpperCase() !== 'JWT' || alg !== 'ed25519-nkey') throw new Error('no JWT of NATS');
  if (!isSignedBy(claims.iss, `${header}.${body}`, signature)) throw new Error('the signature is not its issuer’s');
  return claims;
}

function partOf<T>(encoded: string): T {
  return JSON.parse(Buffer.from(encoded, 'base64url').toString()) as T;
}
