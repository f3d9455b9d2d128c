import type { AgentEvent } from '#machines/agent-context.ts';
import type { Pane, Terminal } from '#world/terminal.ts';
import { wasBriefed } from './briefing-stamp.ts';
import { type Look, lastRowsOf, sightingOf } from './sight.ts';

/** What is told of an agent whose terminal has ended. */
export const serverEnded = 'the tmux server ended with everything in it';

/** Word of an agent's end: how its CLI ended, the last lines of its pane, and whether it had taken its briefing by then. */
export async function paneGone(
  look: Look,
  terminal: Terminal,
  pane: Pane | undefined,
  harness: string,
): Promise<Extract<AgentEvent, { type: 'PANE_GONE' }>> {
  if (!pane)
    return { type: 'PANE_GONE', reason: terminal.ended ? serverEnded : 'the window was closed', briefed: false };
  const sight = await look(terminal, pane.paneId, harness);
  const tail = sight ? lastRowsOf(sight.capture, 3) : '';
  const reason = `the CLI ${howItEnded(pane)}${tail && `: ${tail}`}`;
  const briefed = await wasBriefed(terminal, pane.paneId);
  return { type: 'PANE_GONE', reason, briefed, ...(sight && { sighting: sightingOf(sight) }) };
}

function howItEnded({ exitStatus, exitSignal }: Pane): string {
  return exitStatus === undefined ? `was ended by ${exitSignal ?? 'a signal'}` : `exited with status ${exitStatus}`;
}
