import {
  type CliIdentity,
  lastRowsOf,
  lastRowsWithWords,
  type ObservePane,
  sightingOf,
} from '#actors/host/reading/observation.ts';
import { wasBriefed } from '#actors/host/typing/briefing-stamp.ts';
import type { ViewedEnding } from '#contract/agent/agent-view.ts';
import { screenMark } from '#contract/fact/reason-parts.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { signalName } from '#world/process/signal-name.ts';
import type { Pane, Terminal } from '#world/terminal/terminal.ts';

/** How many rows of the screen to search for the error: a long usage text may follow it. */
const rowsOfFault = 60;

/** The terminal where a pane ended, and the means to observe it. */
interface PaneLocation {
  readonly observePane: ObservePane;
  readonly terminal: Terminal;
  /** The reason reported when the terminal itself has ended. */
  readonly endReason: string;
  /** The limit that its agent exceeded, in words. */
  readonly exceeded?: string | undefined;
  /** Whether a sandbox or a container is between the pane and its CLI. */
  readonly isIsolated: boolean;
}

/** The event of a pane's end: how its CLI ended, the last lines of the pane, and whether its briefing was submitted. */
export async function paneGone(
  { observePane, terminal, endReason, exceeded, isIsolated }: PaneLocation,
  found: Pane | undefined,
  cli: CliIdentity,
): Promise<Extract<AgentEvent, { type: 'PANE_GONE' }>> {
  const limited = exceeded === undefined ? undefined : `ended: used more than ${exceeded}`;
  const over = exceeded === undefined ? undefined : ({ kind: 'limit', exceeded } as const);
  const pane = found && isIsolated ? ofItsCli(found) : found;
  if (!pane) {
    if (terminal.ended) return terminalGone({ reason: endReason, briefed: false });
    return {
      ...{ type: 'PANE_GONE', reason: limited ?? 'the window was closed', briefed: false, lost: false },
      ending: over ?? { kind: 'window-closed' },
    };
  }
  const observation = await observePane(terminal, pane.paneId, cli);
  const tail = observation ? lastRowsWithWords(observation.recorded, 3).join('\n') : '';
  const summary = limited ?? `the CLI ${howItEnded(pane)}`;
  const reason = `${summary}${tail && `${screenMark} ${tail}`}`;
  const briefed = await wasBriefed(terminal, pane.paneId);
  return {
    type: 'PANE_GONE',
    reason,
    briefed,
    ending: over ?? endingOf(pane),
    ...(observation && { sighting: sightingOf(observation) }),
    ...(observation &&
      pane.exitStatus !== 0 && { account: { summary, output: lastRowsOf(observation.recorded, rowsOfFault) } }),
  };
}

/** The boots of a host’s computer: that in which a window was opened, and the current one; undefined if unknown. */
interface Boots {
  readonly opened?: string | undefined;
  readonly current?: string | undefined;
}

/** The event of a pane that ended with its terminal, perhaps because the computer was restarted. */
export function terminalGone(
  { reason, briefed }: Pick<Extract<AgentEvent, { type: 'PANE_GONE' }>, 'reason' | 'briefed'>,
  { opened, current }: Boots = {},
): Extract<AgentEvent, { type: 'PANE_GONE' }> {
  const gone = { type: 'PANE_GONE', reason, briefed, lost: true } as const;
  const isRebooted = opened !== undefined && current !== undefined && opened !== current;
  if (!isRebooted) return { ...gone, ending: { kind: 'terminal-lost' } };
  return { ...gone, reason: `the computer was restarted: ${reason}`, ending: { kind: 'rebooted' } };
}

/** The signals that end a program, without those after which a shell goes on and exits with the same status. */
const endingSignals: ReadonlySet<string> = new Set(
  'SIGKILL SIGTERM SIGHUP SIGABRT SIGSEGV SIGBUS SIGILL SIGFPE SIGSYS SIGTRAP'.split(' '),
);

/** A pane as its CLI ended: a sandbox and a container exit with 128 and the number of the signal that ended it. */
function ofItsCli(pane: Pane): Pane {
  const signal = signalName((pane.exitStatus ?? 0) - 128);
  return signal !== undefined && endingSignals.has(signal)
    ? { ...pane, exitStatus: undefined, exitSignal: signal }
    : pane;
}

function endingOf({ exitStatus, exitSignal }: Pane): ViewedEnding {
  if (exitStatus !== undefined) return { kind: 'exited', status: exitStatus };
  return { kind: 'killed', ...(exitSignal !== undefined && { signal: exitSignal }) };
}

function howItEnded({ exitStatus, exitSignal }: Pane): string {
  return exitStatus === undefined ? `was ended by ${exitSignal ?? 'a signal'}` : `exited with status ${exitStatus}`;
}
