import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type BusKeys, certify } from '#bus/identity/bus-keys.ts';
import { revokeOnBus } from '#bus/join/revoke.ts';
import { Failure } from '#contract/failure.ts';
import type { BusAdmission, Entrance } from '#contract/joining/bus-admission.ts';
import type { Config } from '#contract/process-context.ts';
import { fingerprintOf } from '#world/net/pinned-certificate.ts';
import { busAuthorityIn, busKeysFileOf } from './bus-credentials.ts';
import { requireBusKeys } from './bus-keys.ts';
import { addRevocations, revocationsFileIn } from './bus-revocations.ts';

/** The end of time, in seconds since 1970: until then certificates of a revoked key are refused. */
const forEver = 253_402_300_799;

/**
 * Admits members with the keys of the bus. What is revoked is in a file of the state folder too, so that the bus of
 * `muster start` refuses it from its first moment on.
 * @throws BUS_NOT_CONFIGURED when the keys, or the configured certificates, are missing
 */
export function busAdmission(config: Config): BusAdmission {
  const keys = requireBusKeys(busKeysFileOf(config));
  const entrance = entranceOf(config);
  return {
    entrance,
    certify: (member, publicKey, expiresAt) => certify(keys, member, publicKey, Math.floor(expiresAt / 1_000)),
    revoke: (publicKeys) => revoke(config, { keys, entrance }, publicKeys),
  };
}

async function revoke(
  { home }: Config,
  { keys, entrance }: { readonly keys: BusKeys; readonly entrance: Entrance },
  publicKeys: readonly string[],
): Promise<void> {
  if (publicKeys.length === 0) return;
  const added = Object.fromEntries(publicKeys.map((key) => [key, forEver]));
  addRevocations(revocationsFileIn(home), added);
  const { busUrl: url, busAuthority: authority } = entrance;
  await revokeOnBus({ url, authority, keys, now: Date.now() }, added);
}

function entranceOf(config: Config): Entrance {
  return {
    url: config.joinUrl,
    fingerprint: config.joinCertFile === undefined ? undefined : fingerprintIn(config.joinCertFile),
    busUrl: config.busUrl ?? '',
    busAuthority: busAuthorityIn(config),
  };
}

/** The SHA-256 of the first certificate of a PEM file, in base64url. */
function fingerprintIn(file: string): string {
  try {
    return fingerprintOf(new X509Certificate(readFileSync(file)));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure('BUS_NOT_CONFIGURED', `${file} (MUSTER_JOIN_CERT) has no certificate in PEM: ${why}`, {
      cause: error,
    });
  }
}
