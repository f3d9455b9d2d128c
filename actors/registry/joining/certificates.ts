import { requireMember } from '#actors/registry/host/own-key.ts';
import { isSignedBy } from '#bus/identity/nkey.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { type Certificates, type RenewalRequest, renewalProofText } from '#contract/wire/host-joining.ts';
import type { StoredJoinedHost } from '#store/joining/joined-host-entity.ts';
import type { JoiningScope } from './joining-scope.ts';

/** Certifies the keys of a host and of the gateway beside it, until a time in milliseconds since 1970. */
export async function certify(
  { admission }: Pick<JoiningScope, 'admission'>,
  {
    hostId,
    hostKey,
    gatewayKey,
    certifiedUntil,
  }: Pick<StoredJoinedHost, 'hostId' | 'hostKey' | 'gatewayKey' | 'certifiedUntil'>,
): Promise<Certificates> {
  const [host, gateway] = await Promise.all([
    admission.certify({ kind: 'host', hostId }, hostKey, certifiedUntil),
    admission.certify({ kind: 'gateway', hostId }, gatewayKey, certifiedUntil),
  ]);
  return { host, gateway };
}

/**
 * Certifies the keys of a host again, always those with which it joined. @throws HOST_NOT_JOINED when it did not join
 * by an invitation; HOST_REMOVED
 */
export async function renew(scope: JoiningScope, hostId: string): Promise<Certificates> {
  const { store, clock, certificateMs, log } = scope;
  const certifiedUntil = clock.now() + certificateMs;
  const joined = await store.write(async ({ joinedHosts }) => {
    const found = await joinedHosts.find(hostId);
    if (found === undefined) throw notJoined(hostId);
    requireMember(found);
    await joinedHosts.certify(hostId, certifiedUntil);
    return { ...found, certifiedUntil };
  });
  log.info({ hostId, until: new Date(certifiedUntil).toISOString() }, 'a host was certified again');
  return certify(scope, joined);
}

/**
 * As `renew`, for a host that can no longer reach the bus because its certificates have expired. Replaying its request
 * gains nothing, because the certificates are useless without its key.
 * @throws RENEWAL_NOT_PROVEN when the request is not signed by the host's key; as `renew`
 */
export async function renewByProof(scope: JoiningScope, { hostId, proof }: RenewalRequest): Promise<Certificates> {
  const joined = await scope.store.read(({ joinedHosts }) => joinedHosts.find(hostId));
  const text = renewalProofText(hostId, scope.holder.installation);
  if (joined !== undefined && isSignedBy(joined.hostKey, text, proof)) return renew(scope, hostId);
  throw new Failure(
    'RENEWAL_NOT_PROVEN',
    `The request is not signed by the key with which host ${quoted(hostId)} joined this installation: join again as a new host, with ` +
      'another state folder (MUSTER_HOME)',
  );
}

function notJoined(hostId: string): Failure {
  return new Failure(
    'HOST_NOT_JOINED',
    `Host ${quoted(hostId)} did not join by an invitation: \`muster bus-keys\` makes its credential`,
  );
}
