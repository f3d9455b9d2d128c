import type { Performer } from '#actors/host/agent/performer.ts';
import { wasBriefed } from '#actors/host/typing/briefing-stamp.ts';
import { withTerminal } from '#actors/host/typing/terminal-mutex.ts';
import type { PaneState } from '#contract/agent/agent-state.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { type AgentEvent, readAgentContext } from '#machines/agent/agent-context.ts';
import type { Terminal, Terminals } from '#world/terminal/terminal.ts';

/** Ends the agent's CLI and closes its window; the family's terminal ends with its last window. */
export function closePane(terminals: Terminals): Performer {
  return {
    step: 'closing',
    perform: ({ record }) => closeWindow(terminals, record),
  };
}

/** Ends an agent's CLI and closes its window, if it has one. */
export function closeWindow(terminals: Terminals, record: AgentRecord): Promise<AgentEvent> {
  return withTerminal(record.family, () => close(terminals, record));
}

async function close(terminals: Terminals, record: AgentRecord): Promise<AgentEvent> {
  const terminal = await terminals.find(record.family);
  if (!terminal) return { type: 'PANE_CLOSED' };
  const own = (await terminal.panes()).filter(({ agentId }) => agentId === record.id);
  for (const { paneId } of own) {
    if (await needsRecording(record, terminal, paneId)) return { type: 'BRIEFED', reading: readingOf(record) };
    await terminal.close(paneId);
  }
  // Checked again: if a whole family closes at once, the last to close its window ends the terminal.
  if ((await terminal.panes()).length === 0) await terminals.end(record.family);
  return { type: 'PANE_CLOSED' };
}

/**
 * Whether only the pane's stamp shows that the briefing was submitted. Then that must be recorded before it is closed.
 */
async function needsRecording(record: AgentRecord, terminal: Terminal, paneId: string): Promise<boolean> {
  return !readAgentContext(record.snapshot).briefed && (await wasBriefed(terminal, paneId));
}

function readingOf(record: AgentRecord): { state: PaneState; reason: string } {
  return { state: 'AGENT_STATE_UNCERTAIN', reason: readAgentContext(record.snapshot).reason };
}
