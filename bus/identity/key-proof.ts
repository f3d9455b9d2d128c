import { fromPublic, fromSeed } from '@nats-io/jwt';

/** Signs a text with a member's key: base64url. */
export function signText(seed: string, text: string): string {
  const signed = fromSeed(new TextEncoder().encode(seed)).sign(new TextEncoder().encode(text));
  return Buffer.from(signed).toString('base64url');
}

/** Whether a signature of a text was made with the key of a member. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    return fromPublic(publicKey).verify(new TextEncoder().encode(text), Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}
