import { type Look, lastRowsOf, sightingOf } from '#actors/host/reading/sight.ts';
import { wasBriefed } from '#actors/host/typing/briefing-stamp.ts';
import { screenMark } from '#contract/pane/sighting.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import type { Pane, Terminal } from '#world/terminal/terminal.ts';

/** Where an agent ended, and how that is looked at. */
interface Place {
  readonly look: Look;
  readonly terminal: Terminal;
  /** What is told where the terminal itself has ended. */
  readonly endReason: string;
}

/** Word of an agent's end: how its CLI ended, the last lines of its pane, and whether it had taken its briefing by then. */
export async function paneGone(
  { look, terminal, endReason }: Place,
  pane: Pane | undefined,
  harness: string,
): Promise<Extract<AgentEvent, { type: 'PANE_GONE' }>> {
  if (!pane) return { type: 'PANE_GONE', reason: terminal.ended ? endReason : 'the window was closed', briefed: false };
  const sight = await look(terminal, pane.paneId, harness);
  const tail = sight ? lastRowsOf(sight.capture, 3) : '';
  const reason = `the CLI ${howItEnded(pane)}${tail && `${screenMark} ${tail}`}`;
  const briefed = await wasBriefed(terminal, pane.paneId);
  return { type: 'PANE_GONE', reason, briefed, ...(sight && { sighting: sightingOf(sight) }) };
}

function howItEnded({ exitStatus, exitSignal }: Pane): string {
  return exitStatus === undefined ? `was ended by ${exitSignal ?? 'a signal'}` : `exited with status ${exitStatus}`;
}
