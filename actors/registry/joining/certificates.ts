import type { Certificates } from '#contract/wire/host-joining.ts';
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
