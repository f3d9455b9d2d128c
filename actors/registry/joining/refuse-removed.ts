import { Poller } from '#actors/worker/poller.ts';
import type { Service } from '#actors/worker/service.ts';
import type { JoiningScope } from './joining-scope.ts';

/** How often to check that the bus refuses removed hosts, in milliseconds. */
const every = 600_000;

/**
 * Revokes removed hosts on the bus: at the start, after each reconnection, because the
 * servers may have restarted without the revocations, and periodically.
 */
export function refuseRemoved(
  scope: Pick<JoiningScope, 'store' | 'bus' | 'admission' | 'timer' | 'log' | 'work'>,
): Service {
  const pass = async (): Promise<void> => {
    const all = await scope.store.read(({ joinedHosts }) => joinedHosts.all());
    const removed = all.filter(({ removedAt }) => removedAt != null);
    await scope.admission.revoke(removed.flatMap(({ hostKey, gatewayKey }) => [hostKey, gatewayKey]));
  };
  const poller = new Poller({ name: 'removed hosts', every, pass }, scope).start();
  const reconnects = scope.bus.onReconnect(() => poller.wake());
  return {
    async stop() {
      reconnects.close();
      await poller.stop();
    },
  };
}
