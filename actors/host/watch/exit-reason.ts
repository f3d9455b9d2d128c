import {
  type CliIdentity,
  lastRowsOf,
  lastRowsWithWords,
  type ObservePane,
  sightingOf,
} from '#actors/host/reading/observation.ts';
import { wasBriefed } from '#actors/host/typing/briefing-stamp.ts';
import { screenMark } from '#contract/fact/reason-parts.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import type { Pane, Terminal } from '#world/terminal/terminal.ts';

/** How many rows of the screen to search for the error: a long usage text may follow it. */
const rowsOfFault = 60;

/** The terminal where a pane ended, and the means to observe it. */
interface PaneLocation {
  readonly observePane: ObservePane;
  readonly terminal: Terminal;
  /** The reason reported when the terminal itself has ended. */
  readonly endReason: string;
}

/** The event of a pane's end: how its CLI ended, the last lines of the pane, and whether its briefing was submitted. */
export async function paneGone(
  { observePane, terminal, endReason }: PaneLocation,
  pane: Pane | undefined,
  cli: CliIdentity,
): Promise<Extract<AgentEvent, { type: 'PANE_GONE' }>> {
  if (!pane) {
    const lost = terminal.ended;
    return { type: 'PANE_GONE', reason: lost ? endReason : 'the window was closed', briefed: false, lost };
  }
  const observation = await observePane(terminal, pane.paneId, cli);
  const tail = observation ? lastRowsWithWords(observation.recorded, 3).join('\n') : '';
  const summary = `the CLI ${howItEnded(pane)}`;
  const reason = `${summary}${tail && `${screenMark} ${tail}`}`;
  const briefed = await wasBriefed(terminal, pane.paneId);
  return {
    type: 'PANE_GONE',
    reason,
    briefed,
    ...(observation && { sighting: sightingOf(observation) }),
    ...(observation &&
      pane.exitStatus !== 0 && { account: { summary, output: lastRowsOf(observation.recorded, rowsOfFault) } }),
  };
}

function howItEnded({ exitStatus, exitSignal }: Pane): string {
  return exitStatus === undefined ? `was ended by ${exitSignal ?? 'a signal'}` : `exited with status ${exitStatus}`;
}
