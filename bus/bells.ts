import type { Bus, Subscription } from './bus.ts';
import { bellSubject, paneSubject } from './subjects.ts';

/** Tells a host to look. A bell carries nothing, and a lost one is found by the host's next sweep. */
export function ringHost(bus: Bus, hostId: string): void {
  bus.publish(bellSubject(hostId));
}

/**
 * Looks whenever the host's bell rings and whenever a lost connection is back. Bells coalesce: however many ring while a
 * look is under way, one more look follows it. `look` settles its own failures.
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

/** Tells whoever watches an agent's pane to look. */
export function ringPane(bus: Bus, agentId: string): void {
  bus.publish(paneSubject(agentId));
}

/** Hears that an agent's pane shows something else, or that this may have been missed. */
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
