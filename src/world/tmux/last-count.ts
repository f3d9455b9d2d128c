import { ProcessWatch } from '#world/process-state.ts';
import type { PaneRow } from './pane-table.ts';

/** A program in a pane, and the terminal that it is on. */
interface Program {
  readonly watch: ProcessWatch;
  readonly terminal: string;
}

/**
 * The panes as tmux last listed them, kept while nothing visible from outside could have changed them: the server is
 * idle, and the agents' programs are alive on their terminals. A server that was stopped, or is busy, must be asked.
 */
export class LastCount {
  #rows: readonly PaneRow[] | undefined;
  #server: ProcessWatch | undefined;
  #programs: readonly Program[] = [];

  /** The panes as listed; undefined if they may have changed. */
  get rows(): readonly PaneRow[] | undefined {
    return this.#rows;
  }

  /** Keeps a list, unless the system does not show changes from outside, or a program is just ending. */
  take(server: number, rows: readonly PaneRow[]): void {
    const living = rows.filter(({ agentId, dead }) => agentId !== '' && !dead);
    this.close();
    this.#server = new ProcessWatch(server);
    this.#programs = living.flatMap(({ pid }) => {
      const watch = new ProcessWatch(pid);
      const terminal = watch.read()?.terminal;
      if (terminal !== undefined) return [{ watch, terminal }];
      watch.close();
      return [];
    });
    this.#rows = this.#programs.length === living.length ? rows : undefined;
  }

  /** Drops the list, because windows or panes changed, or may have. */
  forget(): void {
    this.#rows = undefined;
  }

  /** Drops the list, and stops watching the processes. */
  close(): void {
    this.#rows = undefined;
    this.#server?.close();
    this.#server = undefined;
    for (const { watch } of this.#programs) watch.close();
    this.#programs = [];
  }

  /** Checks the processes; returns whether a program has ended, or the list has just been dropped. */
  check(): boolean {
    const ended = this.#programs.filter((program) => !isAlive(program));
    for (const { watch } of ended) watch.close();
    if (ended.length > 0) this.#programs = this.#programs.filter((program) => !ended.includes(program));
    const changed = ended.length > 0 || (this.#rows !== undefined && this.#server?.read()?.waits !== true);
    if (changed) this.#rows = undefined;
    return changed;
  }
}

/** Whether a program is still on its terminal: a program whose terminal hung up has left its pane. */
function isAlive({ watch, terminal }: Program): boolean {
  return watch.read()?.terminal === terminal;
}
