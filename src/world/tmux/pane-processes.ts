import { endProcesses, environmentOf, type Process, treeOf } from '../process-tree.ts';
import type { PaneRow } from './pane-table.ts';

/** Picks the processes that carry the marks tmux gives to a pane's program, also those that left its tree and session. */
function markedBy(socket: string, server: number, paneId: string) {
  const known = new Map<string, boolean>();
  return async (one: Process): Promise<boolean> => {
    const key = `${one.pid}:${one.started}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const entries = await environmentOf(one.pid);
    const marked =
      entries.includes(`TMUX_PANE=${paneId}`) && entries.some((entry) => entry.startsWith(`TMUX=${socket},${server},`));
    known.set(key, marked);
    return marked;
  };
}

/**
 * Ends everything that was started in a pane: its program's tree, its session, and what was sent to the background from
 * it. Answers with what could not be ended.
 */
export async function endPaneProcesses(socket: string, server: number | undefined, row: PaneRow): Promise<Process[]> {
  if (server === undefined) return [];
  const isMarked = markedBy(socket, server, row.paneId);
  return endProcesses(async (processes) => {
    const tree = row.dead ? [] : treeOf(processes, row.pid);
    const marked = await Promise.all(processes.map(async (one) => ((await isMarked(one)) ? [one] : [])));
    return [...tree, ...marked.flat()];
  });
}
