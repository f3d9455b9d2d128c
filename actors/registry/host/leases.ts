import type { Sender } from '#bus/bus.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { type Here, type Holder, isSameHolder } from '#contract/wire/host-greeting.ts';
import { hostSilenceMs } from '#machines/host/host.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { HostScope } from './host-scope.ts';
import { isOnline } from './online.ts';
import { checkOwnKey } from './own-key.ts';

/**
 * Lets a session be its host's. One machine is a host at a time: who comes with the same id and key from elsewhere, as
 * a copied disk or state folder does, is refused until the holder has been silent for so long that it counts as lost.
 * The same machine on the same folder takes over at once. The lease is in the host's row, so that a restart of the
 * registry gives it to nobody else.
 * @throws PERMISSION_DENIED with who holds it, and what to do; as `checkOwnKey`
 */
export async function takeLease(scope: HostScope, sender: Sender, here: Here): Promise<void> {
  const { holder } = here;
  const { store, rivals, log } = scope;
  const { hostId } = sender;
  const isFree = (host: StoredHost | undefined): boolean =>
    host?.holder == null || isSameHolder(host.holder, holder) || !isOnline(host);
  const known = await store.read(({ hosts }) => hosts.find(hostId));
  checkOwnKey(known, sender);
  const mayHold =
    known === undefined || (known.holder != null && isSameHolder(known.holder, holder))
      ? true
      : await store.write(async ({ hosts }) => {
          const host = await hosts.find(hostId);
          checkOwnKey(host, sender);
          if (!isFree(host)) return false;
          await hosts.hold(hostId, holder);
          return true;
        });
  if (mayHold) return sender.admit(here);
  rivals.note(hostId, holder);
  const refused = heldBy(known as StoredHost, holder);
  log.warn({ hostId, why: refused.message }, 'a second process that claims to be a host was refused');
  throw refused;
}

function heldBy({ id, name, holder }: StoredHost, rival: Holder): Failure {
  const { machine = '', path = '' } = holder ?? {};
  return new Failure(
    'HOST_DUPLICATED',
    `Host ${quoted(name)} (${id}) is the machine ${quoted(machine)} with ${quoted(path)}, and ${quoted(rival.machine)} with ` +
      `${quoted(rival.path)} uses the same host.id and host.key: ${howToMend}`,
  );
}

/** What a person does about a host that is there twice. */
export const howToMend =
  'if that is a copy, stop muster there, remove host.id and host.key from its state folder and start it again; if it is the ' +
  `one to keep, stop the other one and wait ${hostSilenceMs / 1_000} s`;
