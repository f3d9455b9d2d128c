import { endProcesses, environmentOf, findProcess, listProcesses } from '#world/process/process-tree.ts';

/**
 * The variable that every process of a pane has. It names the pane, the process that holds the pane, and the
 * installation.
 */
const variable = 'MUSTER_PANE';

/**
 * The owner of a pane: `holder` is the process that holds it as `pid:start`, `runDir` the installation's own folder.
 */
export interface PaneMark {
  readonly paneId: string;
  readonly holder: string;
  readonly runDir: string;
}

/** The mark as a variable of an environment. */
export function markVariable({ paneId, holder, runDir }: PaneMark): Record<string, string> {
  return { [variable]: `${paneId},${holder},${runDir}` };
}

/** The name of this process as the holder of panes. */
export async function thisHolder(): Promise<string> {
  return `${process.pid}:${(await findProcess(process.pid))?.started ?? ''}`;
}

/** The mark in an environment; undefined if there is none. */
function markIn(environment: readonly string[]): PaneMark | undefined {
  const entry = environment.find((candidate) => candidate.startsWith(`${variable}=`));
  const [, paneId, holder, runDir] = /^[^=]*=([^,]*),([^,]*),(.*)$/s.exec(entry ?? '') ?? [];
  return paneId && holder && runDir ? { paneId, holder, runDir } : undefined;
}

/** Whether an environment is that of a process in one of these panes. */
export function isIn(paneIds: ReadonlySet<string>): (environment: readonly string[]) => boolean {
  return (environment) => paneIds.has(markIn(environment)?.paneId ?? '');
}

/**
 * Ends what is left in panes of this installation whose holder has ended: programs that ignore the hang-up of their
 * terminal and would continue unnoticed. On Linux only, because they are recognized by their environment. Panes that a
 * running process holds are spared.
 */
export async function endStrays(runDir: string): Promise<void> {
  const living = new Set((await listProcesses()).map(({ pid, started }) => `${pid}:${started}`));
  const isStray = (pid: number): boolean => {
    const mark = markIn(environmentOf(pid));
    return mark !== undefined && mark.runDir === runDir && !living.has(mark.holder);
  };
  await endProcesses((processes) => processes.filter(({ pid }) => isStray(pid)));
}
