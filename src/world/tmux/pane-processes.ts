import { endProcesses, environmentOf, type Process, treeOf } from '../process-tree.ts';
import type { PaneRow } from './pane-table.ts';

/** Asks each process only once, for the answer lies in the environment it was started with. */
function once(ask: (one: Process) => boolean): (one: Process) => boolean {
  const answers = new Map<string, boolean>();
  return (one) => {
    const key = `${one.pid}:${one.started}`;
    const answer = answers.get(key) ?? ask(one);
    answers.set(key, answer);
    return answer;
  };
}

/**
 * Ends everything that was started in panes of one server: their programs' trees, their sessions, and what left both,
 * which still carries the marks tmux gives to a pane's program. Answers with what could not be ended.
 */
export async function endPaneProcesses(socket: string, server: number, rows: readonly PaneRow[]): Promise<Process[]> {
  const paneMarks = new Set(rows.map((row) => `TMUX_PANE=${row.paneId}`));
  const serverMark = `TMUX=${socket},${server},`;
  const isMarked = once((one) => {
    const entries = environmentOf(one.pid);
    return entries.some((entry) => paneMarks.has(entry)) && entries.some((entry) => entry.startsWith(serverMark));
  });
  const living = rows.filter((row) => !row.dead);
  return endProcesses((processes) => [
    ...living.flatMap((row) => treeOf(processes, row.pid)),
    ...processes.filter(isMarked),
  ]);
}
