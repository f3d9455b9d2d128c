import { Pulse } from '#world/vital-signs.ts';
import type { PaneRow } from './pane-table.ts';

/** A program in a pane, and the terminal that it is on. */
interface Program {
  readonly pulse: Pulse;
  readonly terminal: string;
}

/**
 * The panes as tmux counted them last, kept while nothing shows from outside that could have changed them: the server
 * waits, and the agents' programs live on their terminals. A server that was stopped, or is busy, must be asked.
 */
export class LastCount {
  #rows: readonly PaneRow[] | undefined;
  #server: Pulse | undefined;
  #programs: readonly Program[] = [];

  /** What was counted; undefined if it may hold no more. */
  get rows(): readonly PaneRow[] | undefined {
    return this.#rows;
  }

  /** Keeps a count, unless the system does not show it from outside, or a program is just ending. */
  take(server: number, rows: readonly PaneRow[]): void {
    const living = rows.filter(({ agentId, dead }) => agentId !== '' && !dead);
    this.letGo();
    this.#server = new Pulse(server);
    this.#programs = living.flatMap(({ pid }) => {
      const pulse = new Pulse(pid);
      const terminal = pulse.feel()?.terminal;
      if (terminal !== undefined) return [{ pulse, terminal }];
      pulse.letGo();
      return [];
    });
    this.#rows = this.#programs.length === living.length ? rows : undefined;
  }

  /** Something has happened to windows or panes, or may have. */
  forget(): void {
    this.#rows = undefined;
  }

  /** Forgets it, and releases the processes. */
  letGo(): void {
    this.#rows = undefined;
    this.#server?.letGo();
    this.#server = undefined;
    for (const { pulse } of this.#programs) pulse.letGo();
    this.#programs = [];
  }

  /** Looks at the processes; answers whether a program has ended, or the count has just been lost. */
  check(): boolean {
    const ended = this.#programs.filter((program) => !isAlive(program));
    for (const { pulse } of ended) pulse.letGo();
    if (ended.length > 0) this.#programs = this.#programs.filter((program) => !ended.includes(program));
    const changed = ended.length > 0 || (this.#rows !== undefined && this.#server?.feel()?.waits !== true);
    if (changed) this.#rows = undefined;
    return changed;
  }
}

/** Whether a program is on its terminal still: one that hung up has left its pane. */
function isAlive({ pulse, terminal }: Program): boolean {
  return pulse.feel()?.terminal === terminal;
}
