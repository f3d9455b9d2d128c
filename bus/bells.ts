import type { Bus, Subscription } from './bus.ts';
import { bellSubject, paneSubject } from './subjects.ts';

/** Notifies a host. A bell carries no data; the host's next sweep makes up for a lost one. */
export function ringHost(bus: Bus, hostId: string): void {
  bus.publish(bellSubject(hostId));
}

/**
 * Calls `look` whenever the host's bell rings and whenever a lost connection is back. Bells coalesce: however many ring
 * during a call, one more call follows. `look` handles its own failures.
 */
export function onBell(bus: Bus, hostId: string, look: () => Promise<void>): Subscription {
  let looking = false;
  let rungAgain = false;
  const ring = async (): Promise<void> => {
    rungAgain = true;
    if (looking) return;
    looking = true;
    try {
      while (rungAgain) {
        rungAgain = false;
        await look();
      }
    } finally {
      looking = false;
    }
  };
  const bells = bus.subscribe(bellSubject(hostId), () => void ring());
  const reconnects = bus.onReconnect(() => void ring());
  return {
    close() {
      rungAgain = false;
      bells.close();
      reconnects.close();
    },
  };
}

/** Notifies the watchers of an agent's pane. */
export function ringPane(bus: Bus, agentId: string): void {
  bus.publish(paneSubject(agentId));
}

/** Calls back when an agent's pane has changed, or when such a bell may have been lost. */
export function onPaneBell(bus: Bus, agentId: string, listener: () => void): Subscription {
  const bells = bus.subscribe(paneSubject(agentId), listener);
  const reconnects = bus.onReconnect(listener);
  return {
    close() {
      bells.close();
      reconnects.close();
    },
  };
}
