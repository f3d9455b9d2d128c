import type { Sender } from '#bus/bus.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { type Here, type Holder, isSameHolder } from '#contract/wire/host-greeting.ts';
import { minSilenceMs } from '#machines/host/beats.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import { holderOf } from '#world/holder.ts';
import type { HostScope } from './host-scope.ts';
import { isOnline } from './online.ts';
import { checkOwnKey } from './own-key.ts';

/**
 * Gives the host's lease to the machine of a session. Another machine with the same id and key, such as a copied disk
 * or state folder, is refused until the holder counts as lost. The same machine with the same folder takes over at once, and the host of the
 * registry's own folder also after a restart of their computer.
 * The lease is in the host's row, so it survives a restart of the registry.
 * @throws PERMISSION_DENIED when another machine holds the lease; as `checkOwnKey`
 */
export async function takeLease(scope: HostScope, sender: Sender, here: Here): Promise<void> {
  const { holder } = here;
  const { store, rivals, log } = scope;
  const { hostId } = sender;
  const isFree = (host: StoredHost | undefined): boolean =>
    host?.holder == null || isSameHolder(host.holder, holder) || !isOnline(host) || isOwnHost(scope, holder);
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
  const refused = foregroundQuestion(known as StoredHost, holder);
  log.warn({ hostId, why: refused.message }, 'a second process that claims to be a host was refused');
  throw refused;
}

/** Whether a holder has the registry's own state folder, in this boot: no copy of a folder has it. */
function isOwnHost({ holder: { stateFolder } }: HostScope, holder: Holder): boolean {
  return isSameHolder(holderOf(stateFolder), holder);
}

/** The refusal of a second machine with a host's id and key. */
export function foregroundQuestion({ id, name, holder }: StoredHost, rival: Holder): Failure {
  const { machine = '', path = '' } = holder ?? {};
  return new Failure(
    'HOST_DUPLICATED',
    `Host ${quoted(name)} (${id}) already runs on machine ${quoted(machine)} with the state folder ${quoted(path)}, ` +
      `and machine ${quoted(rival.machine)} with the state folder ${quoted(rival.path)} uses the same host.id and ` +
      `host.key: ${howToResolveDuplicate}`,
  );
}

/** What to do about two machines with the same host id. */
export const howToResolveDuplicate =
  'if that is a copy, stop muster there and join that machine as another host, with `muster host invite` and a new state ' +
  `folder (MUSTER_HOME); if it is the one to keep, stop the other one and wait ${minSilenceMs / 1_000} s`;
