import { certify } from '#bus/identity/bus-keys.ts';
import { revokeOnBus } from '#bus/join/revoke.ts';
import type { BusAdmission } from '#contract/joining/bus-admission.ts';
import type { NatsFixture } from './nats-fixture.ts';

/** Admits members to the bus of a test, and has it refuse them, as a registry of the service does. */
export function testAdmission({ url, keys }: Pick<NatsFixture, 'url' | 'keys'>): BusAdmission {
  return {
    entrance: { url: 'https://muster.example:7434', fingerprint: undefined, busUrl: url, busAuthority: undefined },
    certify: (member, publicKey, expiresAt) => certify(keys, member, publicKey, Math.floor(expiresAt / 1_000)),
    async revoke(publicKeys) {
      if (publicKeys.length === 0) return;
      const forEver = Object.fromEntries(publicKeys.map((key) => [key, 253_402_300_799]));
      await revokeOnBus({ url, authority: undefined, keys, now: Date.now() }, forEver);
    },
  };
}
