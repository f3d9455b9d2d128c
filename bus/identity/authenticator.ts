import type { Authenticator } from '@nats-io/nats-core';
import type { BusCredential } from '#contract/process-context.ts';
import { keyPairOf } from './nkey.ts';

/**
 * Proves to a nats-server who joins: with the certificate as it is then, since it is renewed while a process runs, and
 * the server's challenge signed.
 */
export function authenticatorOf({ jwt, seed }: BusCredential): Authenticator {
  const pair = keyPairOf(seed);
  return (challenge = '') => ({
    jwt: jwt(),
    nkey: pair.getPublicKey(),
    sig: Buffer.from(pair.sign(new TextEncoder().encode(challenge))).toString('base64'),
  });
}
