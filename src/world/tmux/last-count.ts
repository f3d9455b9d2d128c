import type { Process } from '../process-tree.ts';
import { type VitalSigns, vitalSigns } from '../vital-signs.ts';
import type { PaneRow } from './pane-table.ts';

interface Witness {
  readonly pid: number;
  readonly signs: VitalSigns;
}

/**
 * The panes as tmux counted them last, kept while nothing shows from outside that could have changed them: the server
 * waits, and the agents' programs live on their terminals. A server that was stopped, or is busy, must be asked.
 */
export class LastCount {
  #rows: readonly PaneRow[] | undefined;
  #server: Pick<Process, 'pid' | 'started'> | undefined;
  #programs: readonly Witness[] = [];

  /** What was counted; undefined where it may hold no more. */
  get rows(): readonly PaneRow[] | undefined {
    return this.#rows;
  }

  /** Keeps a count, unless the system does not tell what shows from outside, or a program is just ending. */
  take(server: Process | undefined, rows: readonly PaneRow[]): void {
    const living = rows.filter(({ agentId, dead }) => agentId !== '' && !dead);
    this.#server = server;
    this.#programs = living.flatMap(({ pid }) => {
      const signs = vitalSigns(pid);
      return signs === undefined ? [] : [{ pid, signs }];
    });
    this.#rows = server !== undefined && this.#programs.length === living.length ? rows : undefined;
  }

  /** Something has happened to windows or panes, or may have. */
  forget(): void {
    this.#rows = undefined;
  }

  /** Looks at the processes; answers whether a program has ended, or the count has just been lost. */
  check(): boolean {
    const programs = this.#programs.filter(lives);
    const moved = programs.length < this.#programs.length || (this.#rows !== undefined && !this.#serverWaits());
    this.#programs = programs;
    if (moved) this.#rows = undefined;
    return moved;
  }

  #serverWaits(): boolean {
    const signs = this.#server && vitalSigns(this.#server.pid);
    return signs?.waits === true && signs.started === this.#server?.started;
  }
}

/** Whether a program is the same, and on the same terminal: one that hung up has left its pane. */
function lives({ pid, signs }: Witness): boolean {
  const now = vitalSigns(pid);
  return now !== undefined && now.started === signs.started && now.terminal === signs.terminal;
}
