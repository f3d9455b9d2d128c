import type { Service } from '#actors/worker/service.ts';
import type { Bus } from '#bus/bus.ts';
import { presenceSubject } from '#bus/subjects.ts';
import type { RegistryHolder } from '#contract/wire/registry-lease.ts';
import type { RegistryPresence } from '#contract/wire/registry-presence.ts';
import type { Store } from '#store/store.ts';

/** How often a registry announces itself to gateways, in milliseconds. */
const every = 1_000;

/** What a registry announces itself with. */
interface PresenceScope {
  readonly bus: Pick<Bus, 'publish'>;
  readonly store: Pick<Store, 'sharedTime'>;
  readonly holder: RegistryHolder;
}

/**
 * Announces to gateways that this registry answers, as long as it reaches its database: gateways then call it by its
 * name. A registry that hangs, or that the network cuts off from its database or the bus, announces nothing, and gets no
 * calls while others do.
 */
export function announcePresence({ bus, store, holder }: PresenceScope): Service {
  const { installation, instance } = holder;
  const present = (): RegistryPresence => ({ installation, instance, now: performance.now() });
  let isStopped = false;
  let isLooking = false;
  const announce = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      await store.sharedTime?.();
      if (!isStopped) bus.publish(presenceSubject, present());
    } catch {
      // Calls say what is wrong with the database.
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
