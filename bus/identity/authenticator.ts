import type { Authenticator } from '@nats-io/nats-core';
import type { BusCredential } from '#contract/process-context.ts';
import { keyPairOf } from './nkey.ts';

/**
 * Authenticates a client to a nats-server, with the current certificate, because it is renewed while a process runs,
 * and a signature of the server's challenge.
 */
export function authenticatorOf({ jwt, seed }: BusCredential): Authenticator {
  const pair = keyPairOf(seed);
  return (challenge = '') => ({
    jwt: jwt(),
    nkey: pair.getPublicKey(),
    sig: Buffer.from(pair.sign(new TextEncoder().encode(challenge))).toString('base64'),
  });
}
