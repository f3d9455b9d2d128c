import type { Process } from '#world/process/process-tree.ts';
import { endPanes } from '#world/terminal/pane-processes.ts';
import type { PaneRow } from './pane-table.ts';

/**
 * Ends everything that was started in panes of one server: their programs' trees, their sessions, and what left both
 * but still has the variables that tmux sets for a pane's program. Returns what could not be ended.
 */
export function endPaneProcesses(socket: string, server: number, rows: readonly PaneRow[]): Promise<Process[]> {
  const paneMarks = new Set(rows.map((row) => `TMUX_PANE=${row.paneId}`));
  const serverMark = `TMUX=${socket},${server},`;
  const isMarked = (environment: readonly string[]) =>
    environment.some((entry) => paneMarks.has(entry)) && environment.some((entry) => entry.startsWith(serverMark));
  const living = rows.filter((row) => !row.dead);
  return endPanes(
    living.map((row) => row.pid),
    isMarked,
  );
}
