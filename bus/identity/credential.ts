import type { BusCredential } from '#contract/process-context.ts';
import { readClaims } from './claims.ts';

const block = (name: string) => new RegExp(`-----BEGIN ${name}-----\\s+(\\S+)\\s+-{5,6}END ${name}-{5,6}`);
const [claims, seed] = [block('NATS USER JWT'), block('USER NKEY SEED')];

/** A credential as a file of NATS (`.creds`). */
export function credentialText({ jwt, seed }: { readonly jwt: string; readonly seed: string }): string {
  return [
    '-----BEGIN NATS USER JWT-----',
    jwt,
    '------END NATS USER JWT------',
    '',
    '-----BEGIN USER NKEY SEED-----',
    seed,
    '------END USER NKEY SEED------',
    '',
  ].join('\n');
}

/** Reads a `.creds` file of NATS; undefined if the text is not one. */
export function readCredential(text: string): BusCredential | undefined {
  const [jwt, key] = [claims, seed].map((part) => part.exec(text)?.[1]);
  if (jwt === undefined || key === undefined || nameIn(jwt) === undefined) return undefined;
  return { jwt: () => jwt, seed: key };
}

/** The public key of the credential in a `.creds` file of NATS; undefined if it has none. */
export function keyIn(text: string): string | undefined {
  const credential = readCredential(text);
  return credential && readClaims(credential.jwt()).sub;
}

/** The validity of a certificate, in milliseconds since 1970; `until` is infinite if it never expires. */
export function validityOf(jwt: string): { readonly from: number; readonly until: number } {
  const { iat, exp } = readClaims(jwt);
  return { from: iat * 1_000, until: exp === undefined ? Number.POSITIVE_INFINITY : exp * 1_000 };
}

/** The name in a certificate: the id of a host, or the kind of another member; undefined if it is not a certificate. */
export function nameIn(jwt: string): string | undefined {
  try {
    return readClaims(jwt).name;
  } catch {
    return undefined;
  }
}
