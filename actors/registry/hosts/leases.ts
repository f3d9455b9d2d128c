import { isOnline } from '#actors/registry/placement.ts';
import type { RegistryScope } from '#actors/registry/registry-scope.ts';
import type { Sender } from '#bus/bus.ts';
import type { Clock } from '#contract/clock.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { Holder } from '#contract/wire/host-greeting.ts';
import { hostSilenceMs } from '#machines/host.ts';
import type { StoredHost } from '#store/host-entity.ts';

/** Who else comes with a host's id and key. */
interface Rival extends Holder {
  /** When it last came, in milliseconds since 1970. */
  readonly at: number;
}

/** Those that were refused because another machine is the host: kept in memory, for as long as they keep coming. */
export class Rivals {
  readonly #clock: Clock;
  readonly #rivals = new Map<string, Rival>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(hostId: string, holder: Holder): void {
    this.#rivals.set(hostId, { ...holder, at: this.#clock.now() });
  }

  of(hostId: string): Rival | undefined {
    const rival = this.#rivals.get(hostId);
    return rival !== undefined && this.#clock.now() - rival.at < hostSilenceMs ? rival : undefined;
  }
}

/**
 * Lets a session be its host's. One machine is a host at a time: who comes with the same id and key from elsewhere, as a copied disk or
 * state folder does, is refused until the holder has been silent for so long that it counts as lost. The same machine on the same folder
 * takes over at once. The lease is in the host's row, so that a restart of the registry gives it to nobody else.
 * @throws Failure `permission_denied` with who holds it, and what to do
 */
export async function takeLease(scope: RegistryScope, sender: Sender, holder: Holder): Promise<void> {
  const { store, rivals, log } = scope;
  const { hostId } = sender;
  const isFree = (host: StoredHost | undefined): boolean =>
    host?.holder == null || isSame(host.holder, holder) || !isOnline(host);
  const known = await store.read(({ hosts }) => hosts.find(hostId));
  const mayHold =
    known === undefined || (known.holder != null && isSame(known.holder, holder))
      ? true
      : await store.write(async ({ hosts }) => {
          if (!isFree(await hosts.find(hostId))) return false;
          await hosts.hold(hostId, holder);
          return true;
        });
  if (mayHold) return sender.admit(holder);
  rivals.note(hostId, holder);
  const refused = heldBy(known as StoredHost, holder);
  log.warn({ hostId, why: refused.message }, 'a second holder of a host was not let in');
  throw refused;
}

/** Whether two processes have the same state folder on the same start of the same machine, where only one at a time may run. */
export function isSame(one: Holder, other: Holder): boolean {
  return one.boot === other.boot && one.folder === other.folder;
}

function heldBy({ id, name, holder }: StoredHost, rival: Holder): Failure {
  const { machine = '', path = '' } = holder ?? {};
  return new Failure(
    'permission_denied',
    `Host ${quoted(name)} (${id}) is the machine ${quoted(machine)} with ${quoted(path)}, and ${quoted(rival.machine)} with ` +
      `${quoted(rival.path)} comes with the same host.id and host.key: ${howToMend}`,
  );
}

/** What a person does about a host that is there twice. */
export const howToMend =
  'where that is a copy, stop muster there, remove host.id and host.key from its state folder and start it again; where it is the ' +
  `one to go on, stop the other one and wait ${hostSilenceMs / 1_000} s`;
