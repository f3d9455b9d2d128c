import { endProcesses, environmentOf, type Process, treeOf } from '../process-tree.ts';
import type { PaneRow } from './pane-table.ts';

/** Asks each process only once, for the answer lies in the environment it was started with. */
function once(ask: (one: Process) => Promise<boolean>): (one: Process) => Promise<boolean> {
  const answers = new Map<string, Promise<boolean>>();
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
  const isMarked = once(async (one) => {
    const entries = await environmentOf(one.pid);
    return entries.some((entry) => paneMarks.has(entry)) && entries.some((entry) => entry.startsWith(serverMark));
  });
  const living = rows.filter((row) => !row.dead);
  return endProcesses(async (processes) => {
    const trees = living.flatMap((row) => treeOf(processes, row.pid));
    const marked = await Promise.all(processes.map(async (one) => ((await isMarked(one)) ? [one] : [])));
    return [...trees, ...marked.flat()];
  });
}
