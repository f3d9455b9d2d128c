import type { Service } from '#actors/worker/service.ts';
import type { Bus } from '#bus/bus.ts';
import { presenceSubject } from '#bus/subjects.ts';
import type { RegistryHolder } from '#contract/wire/registry-lease.ts';
import type { RegistryPresence } from '#contract/wire/registry-presence.ts';
import type { Store } from '#store/store.ts';

/** How often a registry announces itself to gateways, in milliseconds. */
const every = 1_000;

/** The dependencies of announcements. */
interface PresenceScope {
  readonly bus: Pick<Bus, 'publish' | 'sealKey'>;
  readonly store: Pick<Store, 'sharedTime'>;
  readonly holder: RegistryHolder;
}

/**
 * Announces to gateways that this registry is available, as long as it reaches its database. Gateways then call it by
 * name. A registry that hangs or is partitioned from its database or the bus announces nothing, and gets no
 * calls while others do.
 */
export function announcePresence({ bus, store, holder }: PresenceScope): Service {
  const { installation, instance } = holder;
  const present = (): RegistryPresence => ({
    installation,
    instance,
    now: performance.now(),
    sealKey: bus.sealKey,
  });
  let isStopped = false;
  let isLooking = false;
  const announce = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      await store.sharedTime?.();
      if (!isStopped) bus.publish(presenceSubject, present());
    } catch {
      // Calls report what is wrong with the database.
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void announce(), every);
  void announce();
  return {
    async stop() {
      if (isStopped) return;
      isStopped = true;
      clearInterval(timer);
      bus.publish(presenceSubject, { ...present(), isLeaving: true });
    },
  };
}
