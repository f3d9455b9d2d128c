import { useMemo } from 'react';
import { useAct } from '#page/acts/use-act.ts';
import { agents } from '#page/api/clients.ts';
import { failureText } from '#page/api/failure-text.ts';
import { useFleet } from '#page/fleet/fleet.ts';
import { Elapsed } from '#page/parts/elapsed.tsx';

/**
 * How many agents lost their windows with their terminals, since when, and a button that resumes them all; nothing if
 * none did.
 */
export function LostWindows() {
  const { rows } = useFleet();
  const lost = useMemo(() => [...rows.values()].flatMap(({ agent }) => (agent?.windowLost ? [agent] : [])), [rows]);
  const { act, isBusy } = useAct();
  if (lost.length === 0) return null;
  const since = lost.map(({ endedAt }) => endedAt).sort()[0] ?? '';
  const restore = (): void =>
    act({ label: 'Restore all', call: () => restoreAll(lost.map(({ id }) => id)), done: (said) => said });
  return (
    <section className="lost-windows" role="status" aria-label="Lost windows">
      <p>
        <b>{lost.length === 1 ? 'An agent has lost its window.' : `${lost.length} agents have lost their windows.`}</b>{' '}
        The terminals ended, as in a restart of the machine; that was found <Elapsed since={since} /> ago. Their work is
        there, and their conversations can be resumed.
      </p>
      <button type="button" className="button primary" disabled={isBusy} onClick={restore}>
        Restore all
      </button>
    </section>
  );
}

/**
 * Restores agents one after another, and continues after a failure.
 * @throws Error when an agent could not be restored
 */
async function restoreAll(agentIds: readonly string[]): Promise<string> {
  const failures: string[] = [];
  for (const agentId of agentIds)
    await agents.restoreAgent({ agentId, inTurn: true }).catch((error: unknown) => failures.push(failureText(error)));
  const done = agentIds.length - failures.length;
  const said = `${done} of ${agentIds.length} ${agentIds.length === 1 ? 'agent is' : 'agents are'} being restored`;
  return [said, ...new Set(failures)].join('. ');
}
