import { resolve } from 'node:path';
import { Failure } from '#contract/failure.ts';
import type { Pane, Terminal, TerminalLog, Terminals } from '#world/terminal/terminal.ts';
import { findExecutable } from './executable.ts';
import { FamilyTerminal } from './family-terminal.ts';
import { agentPanes, listPanesWords, readPanes } from './pane-table.ts';
import { askServer, endServer, isMarked, isRunning, runningSockets, type ServerSpec } from './server.ts';
import { familiesIn, makeSocketFolder, removeSocketFolder, socketFolder, socketOf } from './socket-folder.ts';

/** The settings of the machine's tmux terminals. */
export interface TmuxOptions {
  /** The folder for sockets; if its path is too long for a socket, a short one under /tmp is used instead. */
  readonly runDir: string;
  /**
   * The whole environment of every pane, without the variables that its window adds. Nothing of this process's own
   * environment is passed on.
   */
  readonly environment: Readonly<Record<string, string>>;
  /** The tmux program; by default the one on PATH. */
  readonly tmux?: string;
  /** The mark of this installation's servers, by which `own` finds them; without it, `own` finds none. */
  readonly installation?: string;
  /** How long an answer of tmux may take, in milliseconds; by default 10,000. */
  readonly patience?: number;
  readonly log?: TerminalLog;
}

/** How often the panes' programs are checked from outside, in milliseconds. */
const checkMs = 1_500;

class TmuxTerminals implements Terminals {
  readonly endReason = 'the tmux server ended with everything in it';
  readonly #runDir: string;
  #folder: string;
  readonly #spec: Omit<ServerSpec, 'socket'>;
  readonly #log: TerminalLog;
  readonly #terminals = new Map<string, FamilyTerminal>();
  #checkTimer: NodeJS.Timeout | undefined;

  constructor(tmux: string, options: TmuxOptions) {
    this.#runDir = resolve(options.runDir);
    this.#folder = socketFolder(this.#runDir);
    const { environment, installation, patience = 10_000 } = options;
    this.#spec = { tmux, environment, installation, patience };
    this.#log = options.log ?? (() => undefined);
  }

  async of(family: string): Promise<Terminal> {
    const terminal = await this.#terminal(family);
    await terminal.ensure();
    return terminal;
  }

  async find(family: string): Promise<FamilyTerminal | undefined> {
    const known = this.#terminals.get(family);
    if (known?.attached) return known;
    if (!(await this.runs(family))) return undefined;
    const terminal = await this.#terminal(family);
    return (await terminal.find()) ? terminal : undefined;
  }

  async runs(family: string): Promise<boolean> {
    return isRunning(socketOf(this.#folder, family));
  }

  async running(): Promise<string[]> {
    return runningFamilies(this.#runDir);
  }

  async ask(family: string): Promise<Pane[] | undefined> {
    const output = await askServer({ ...this.#spec, socket: socketOf(this.#folder, family) }, listPanesWords);
    if (output !== undefined) return agentPanes(readPanes(output.split('\n')));
    if ((await this.#terminals.get(family)?.isServerAlive()) !== true) return undefined;
    throw new Failure('TMUX_UNAVAILABLE', `the tmux server of ${family} runs and cannot be reached; try again`);
  }

  async own(families: readonly string[]): Promise<string[]> {
    const marks = families.map((family) =>
      isMarked({ ...this.#spec, socket: socketOf(this.#folder, family) }).catch(() => false),
    );
    const marked = await Promise.all(marks);
    return families.filter((_, index) => marked[index]);
  }

  commands(family: string): { attach: string; end: string } {
    const tmux = `tmux -S ${socketOf(this.#folder, family)}`;
    return { attach: `${tmux} attach`, end: `${tmux} kill-server` };
  }

  async windowOf(family: string, paneId: string): Promise<string> {
    // The socket file may have been deleted, but a terminal that is attached does not need it.
    const window = (await this.runs(family)) ? await (await this.find(family))?.windowOf(paneId) : undefined;
    if (window === undefined)
      throw new Failure(
        'PANE_NOT_FOUND',
        `there is no pane ${paneId} in the family ${family}; its window may have been closed`,
      );
    return window;
  }

  async end(family: string): Promise<void> {
    const socket = socketOf(this.#folder, family);
    const terminal = await this.find(family);
    if (terminal) await terminal.end();
    else {
      await this.#terminals.get(family)?.detach();
      await endServer({ ...this.#spec, socket }, undefined);
    }
    this.#terminals.delete(family);
    // A folder made here under /tmp contains only sockets; it stays while there are any.
    if (this.#folder !== this.#runDir) await removeSocketFolder(this.#folder);
  }

  async release(family: string): Promise<void> {
    const known = this.#terminals.get(family);
    this.#terminals.delete(family);
    await known?.detach();
  }

  async detach(): Promise<void> {
    clearInterval(this.#checkTimer);
    this.#checkTimer = undefined;
    const terminals = [...this.#terminals.values()];
    this.#terminals.clear();
    await Promise.all(terminals.map((terminal) => terminal.detach()));
  }

  async #terminal(family: string): Promise<FamilyTerminal> {
    this.#folder = await makeSocketFolder(this.#runDir);
    const socket = socketOf(this.#folder, family);
    const known = this.#terminals.get(family);
    if (known !== undefined && !known.released) return known;
    const terminal = new FamilyTerminal({ ...this.#spec, socket }, this.#log);
    this.#terminals.set(family, terminal);
    this.#checkTimer ??= setInterval(() => this.#checkProcesses(), checkMs).unref();
    return terminal;
  }

  #checkProcesses(): void {
    for (const terminal of this.#terminals.values()) terminal.checkProcess();
  }
}

/** All families of sockets in the folder whose tmux servers are running. Runs no tmux program. */
export async function runningFamilies(runDir: string): Promise<string[]> {
  const folder = socketFolder(runDir);
  const families = await familiesIn(folder, await runningSockets(folder));
  const alive = await Promise.all(families.map((family) => isRunning(socketOf(folder, family))));
  return families.filter((_, index) => alive[index]);
}

/**
 * The machine's terminals on tmux, one private server per family. A server outlives this process; `running` finds it
 * again.
 * @throws FAILED_PRECONDITION when there is no tmux
 */
export function createTmuxTerminals(options: TmuxOptions): Terminals {
  const { tmux: wanted = 'tmux' } = options;
  const found = findExecutable(wanted);
  if (found === undefined)
    throw new Failure('TERMINAL_UNAVAILABLE', `${wanted} was not found; install tmux 3.3 or newer`);
  return new TmuxTerminals(found, options);
}
