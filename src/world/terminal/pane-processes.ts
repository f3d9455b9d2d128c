import { endProcesses, environmentOf, type Process, treeOf } from '#world/process/process-tree.ts';

/** Checks each process only once, because the answer depends on its initial environment, which never changes. */
function memoized(ask: (one: Process) => boolean): (one: Process) => boolean {
  const answers = new Map<string, boolean>();
  return (one) => {
    const key = `${one.pid}:${one.started}`;
    const answer = answers.get(key) ?? ask(one);
    answers.set(key, answer);
    return answer;
  };
}

/**
 * Ends everything that was started in panes: the trees and sessions of their living programs, given by pid, and
 * processes that left both but still have a mark in their environment. Returns what could not be ended.
 */
export function endPanes(
  programs: readonly number[],
  isMarked: (environment: readonly string[]) => boolean,
): Promise<Process[]> {
  const carriesMark = memoized((one) => isMarked(environmentOf(one.pid)));
  return endProcesses((processes) => [
    ...programs.flatMap((pid) => treeOf(processes, pid)),
    ...processes.filter(carriesMark),
  ]);
}
