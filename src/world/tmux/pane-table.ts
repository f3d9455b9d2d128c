import { signalName } from '#world/process/signal-name.ts';
import type { Pane } from '#world/terminal/terminal.ts';
import { quote } from './control-line.ts';

/** The pane option that says which agent a pane belongs to. */
export const agentOption = '@muster_agent_id';
/** The pane option that holds what was last typed into the pane. */
export const stampOption = '@muster_stamp';

/** One pane as tmux lists it, whether or not it belongs to an agent. */
export interface PaneRow {
  readonly paneId: string;
  readonly windowId: string;
  readonly pid: number;
  readonly dead: boolean;
  readonly exitStatus: number | undefined;
  /** The name of the signal that ended the process. */
  readonly exitSignal: string | undefined;
  /** Empty if the pane is not an agent's. */
  readonly agentId: string;
}

const fields = ['pane_id', 'window_id', 'pane_pid', 'pane_dead', 'pane_dead_status', 'pane_dead_signal', agentOption];

const format = fields.map((field) => `#{${field}}`).join('|');

/** The command that lists every pane of the server, as words, and as a line for a control client. */
export const listPanesWords = ['list-panes', '-a', '-F', format];
export const listPanes = `list-panes -a -F ${quote(format)}`;

function number(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text);
}

/** Reads a signal, which tmux reports by number, or, on systems with names for them, by name. */
function signalOf(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  return /^\d+$/.test(text) ? (signalName(Number(text)) ?? `signal ${text}`) : `SIG${text.toUpperCase()}`;
}

/** The panes that belong to agents, as a terminal lists them. */
export function agentPanes(rows: readonly PaneRow[]): Pane[] {
  return rows.filter(({ agentId }) => agentId !== '').map(paneOf);
}

/** A row as a terminal reports it. */
export function paneOf({ agentId, paneId, pid, dead, exitStatus, exitSignal }: PaneRow): Pane {
  return { agentId, paneId, pid, dead, exitStatus, exitSignal };
}

/** Reads the answer to `listPanes`; a pane that several sessions show is listed once. */
export function readPanes(lines: readonly string[]): PaneRow[] {
  const rows = new Map<string, PaneRow>();
  for (const line of lines) {
    const [paneId = '', windowId = '', pid, dead, status, signal, agentId = ''] = line.split('|');
    rows.set(paneId, {
      paneId,
      windowId,
      pid: Number(pid),
      dead: dead === '1',
      exitStatus: number(status),
      exitSignal: signalOf(signal),
      agentId,
    });
  }
  return [...rows.values()];
}

/** Whether tmux knows that the pane is dead but not its exit status, because it missed the signal of the end. */
export function lacksExitStatus(row: PaneRow): boolean {
  return row.dead && row.exitStatus === undefined && row.exitSignal === undefined;
}
