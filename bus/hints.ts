import type { Bus, Subscription } from './bus.ts';
import { hostHintSubject, panePattern, paneSender, paneSubject } from './subjects.ts';

/** Sends a host the hint to read its changes. If it is lost, the host reads them regularly anyway. */
export function hintHost(bus: Bus, hostId: string): void {
  bus.publish(hostHintSubject(hostId));
}

/**
 * Calls `readChanges` at each hint for a host, and after each reconnect. Hints during a call are coalesced into one
 * more call. `readChanges` must handle its own failures.
 */
export function onHostHint(bus: Bus, hostId: string, readChanges: () => Promise<void>): Subscription {
  let isReading = false;
  let rungAgain = false;
  const ring = async (): Promise<void> => {
    rungAgain = true;
    if (isReading) return;
    isReading = true;
    try {
      while (rungAgain) {
        rungAgain = false;
        await readChanges();
      }
    } finally {
      isReading = false;
    }
  };
  const bells = bus.subscribe(hostHintSubject(hostId), () => void ring());
  const reconnects = bus.onReconnect(() => void ring());
  return {
    close() {
      rungAgain = false;
      bells.close();
      reconnects.close();
    },
  };
}

/** Sends the watchers of an agent's pane the hint that it has changed. */
export function hintPane(bus: Bus, hostId: string, agentId: string): void {
  bus.publish(paneSubject(hostId, agentId));
}

/**
 * Calls `listener` at each hint about an agent's pane, with the host that sent it, as the bus vouches for it; and after
 * each reconnect, when a hint may have been lost, with undefined.
 */
export function onPaneHint(bus: Bus, agentId: string, listener: (hostId: string | undefined) => void): Subscription {
  const bells = bus.subscribe(panePattern(agentId), (_body, subject) => listener(paneSender(subject)));
  const reconnects = bus.onReconnect(() => listener(undefined));
  return {
    close() {
      bells.close();
      reconnects.close();
    },
  };
}
