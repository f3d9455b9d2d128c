import type { Client } from '#cli/client/client.ts';
import type { Agent } from '#contract/agent/agent.ts';

/** Lost windows that are found within this time of each other are reported together, in milliseconds. */
const gatherMs = 1_500;

interface Report {
  readonly client: Pick<Client, 'watch'>;
  /** Ends the report. */
  readonly signal: AbortSignal;
  /** How a person types this installation's command. */
  readonly muster: string;
  readonly write: (text: string) => void;
}

/**
 * Reports how many agents have lost their windows, and again if there are more, until the signal or the service ends
 * it.
 */
export async function reportLostWindows({ client, signal, muster, write }: Report): Promise<void> {
  const lost = new Map<string, Agent>();
  let reported = 0;
  let timer: NodeJS.Timeout | undefined;
  const report = (): void => {
    if (lost.size > reported) write(lostWindowsText([...lost.values()], muster));
    reported = lost.size;
  };
  try {
    for await (const { agents = [] } of client.watch('agent.v1.AgentService/WatchAgents', {}, signal)) {
      for (const { agent = {} } of agents) {
        if (agent.windowLost) lost.set(agent.id ?? '', agent);
        else lost.delete(agent.id ?? '');
      }
      clearTimeout(timer);
      timer = setTimeout(report, gatherMs).unref();
    }
  } catch {
    // Failures of the service are reported elsewhere.
  } finally {
    clearTimeout(timer);
  }
}

/** How many agents lost their windows, when that was found, and what to do. */
export function lostWindowsText(agents: readonly Agent[], muster: string): string {
  const times = agents.flatMap(({ endedAt }) => endedAt ?? []).sort();
  const [first, last] = [times.at(0), times.at(-1)].map((at) => at && new Date(at).toLocaleString('sv'));
  const when = first === last ? `found at ${first}` : `found from ${first} to ${last}`;
  const who = agents.length === 1 ? 'An agent has lost its window' : `${agents.length} agents have lost their windows`;
  return `\n${who}: the terminals ended, for example when the machine restarted (${when}).\n  ${muster} restore --all   resumes their conversations\n`;
}
