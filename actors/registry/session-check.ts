import type { HostScope } from '#actors/registry/host/host-scope.ts';
import { foregroundQuestion } from '#actors/registry/host/leases.ts';
import { keyMismatch, sessionEnded } from '#actors/registry/host/own-key.ts';
import type { Sender } from '#bus/bus.ts';
import { isSameHolder } from '#contract/wire/host-greeting.ts';

/** How long a session's validity is cached, in milliseconds. Another registry may end the session meanwhile. */
const validFor = 900;

/**
 * Checks whether a host's row still admits the session of a call: a person may have removed its key at
 * another registry, or another machine may have become the host there.
 */
export class SessionCheck {
  readonly #scope: Pick<HostScope, 'store' | 'lines'>;
  readonly #checkedAt = new WeakMap<Sender, number>();

  constructor(scope: Pick<HostScope, 'store' | 'lines'>) {
    this.#scope = scope;
  }

  /**
   * Does nothing if this registry is the only one: it ends sessions itself.
   * @throws PERMISSION_DENIED when the host's row is bound to another key, or another machine now holds the host's
   * lease;   UNAVAILABLE when the session has ended
   */
  async check(sender: Sender): Promise<void> {
    const { store, lines } = this.#scope;
    if (store.sharedTime === undefined) return;
    const at = lines.now();
    if (at - (this.#checkedAt.get(sender) ?? Number.NEGATIVE_INFINITY) < validFor) return;
    const host = await store.read(({ hosts }) => hosts.find(sender.hostId));
    if (host !== undefined) lines.endRevoked(sender.hostId, host);
    if (host?.key != null && host.key !== sender.key) throw keyMismatch(host);
    if (host?.holder != null && sender.holder !== undefined && !isSameHolder(host.holder, sender.holder))
      throw foregroundQuestion(host, sender.holder);
    if (!sender.isOpen) throw sessionEnded(sender);
    this.#checkedAt.set(sender, at);
  }
}
