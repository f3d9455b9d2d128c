import { quote } from './control-line.ts';

/** The pane option that says which agent a pane belongs to. */
export const agentOption = '@muster_agent_id';
/** The pane option that holds what was last typed into the pane. */
export const stampOption = '@muster_stamp';

/** One pane as tmux lists it, whoever it belongs to. */
export interface PaneRow {
  readonly paneId: string;
  readonly windowId: string;
  readonly pid: number;
  readonly dead: boolean;
  readonly exitStatus: number | undefined;
  /** The signal that ended the process, by its number. */
  readonly exitSignal: number | undefined;
  /** Empty where the pane is not an agent's. */
  readonly agentId: string;
}

const fields = ['pane_id', 'window_id', 'pane_pid', 'pane_dead', 'pane_dead_status', 'pane_dead_signal', agentOption];

/** The line that lists every pane of the server. */
export const listPanes = `list-panes -a -F ${quote(fields.map((field) => `#{${field}}`).join('|'))}`;

function number(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text);
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
      exitSignal: number(signal),
      agentId,
    });
  }
  return [...rows.values()];
}

/** Whether tmux knows that the pane is dead and not how: its notice of the end was lost. */
export function endIsUntold(row: PaneRow): boolean {
  return row.dead && row.exitStatus === undefined && row.exitSignal === undefined;
}
