import type { Bus } from '#bus/bus.ts';
import { onPaneHint } from '#bus/hints.ts';
import { hostInPaneCursor } from '#contract/pane/pane-cursor.ts';
import type { ChangeSource } from './watch.ts';

/**
 * The watch of one agent's pane. A hint counts if it comes from the host that the agent is on, by the registry's last
 * answer: any host may publish hints about any agent, in its own name.
 */
export function paneSource(bus: Bus, agentId: string, ask: ChangeSource['ask']): Pick<ChangeSource, 'ask' | 'listen'> {
  let host: string | undefined;
  /** The hosts that sent a hint since the last request. */
  const heard = new Set<string>();
  const listeners = new Set<() => void>();
  const ring = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    async ask(cursor) {
      heard.clear();
      const answer = await ask(cursor);
      const known = host;
      host = hostInPaneCursor(String(answer['cursor'] ?? ''));
      // The first hint of a host may arrive before the answer that names it.
      if (host !== known && host !== undefined && heard.has(host)) ring();
      return answer;
    },
    listen(listener) {
      listeners.add(listener);
      const bells = onPaneHint(bus, agentId, (from) => {
        if (from !== undefined) heard.add(from);
        if (from === undefined || from === host) listener();
      });
      return {
        close() {
          listeners.delete(listener);
          bells.close();
        },
      };
    },
  };
}
