import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '#contract/failure.ts';
import type { Key } from '#contract/key.ts';
import type { Capture } from '#contract/pane/capture.ts';
import type { Terminal, Terminals } from '#world/terminal/terminal.ts';
import { attachCommand, ownTmux } from '#world/tmux/attach.ts';
import { askServer } from '#world/tmux/server.ts';
import { makeSocketFolder, socketOf } from '#world/tmux/socket-folder.ts';
import { createTmuxTerminals } from '#world/tmux/terminals.ts';

/** A window's size in cells. */
export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
}

/** A program in a window of a separate tmux server, whose screen is recorded. */
export interface RecordingWindow {
  /** The command that attaches a person's terminal to the window. */
  readonly attach: readonly string[];
  /** @throws UNAVAILABLE when the window is gone */
  capture(): Promise<Capture>;
  type(text: string): Promise<void>;
  press(keys: readonly Key[]): Promise<void>;
  resize(size: WindowSize): Promise<void>;
  /**
   * What it shows once it has not changed for `quiet` milliseconds, at the latest after `limit` milliseconds. Blank
   * screens do not count.
   */
  still(quiet: number, limit: number): Promise<Capture>;
  /** Ends the program, the window and the server. May be called twice. */
  end(): Promise<void>;
}

/** The program of a window. */
export interface RecordedProgram {
  /** The folder for the server's socket. */
  readonly runDir: string;
  /** The name of the server. An earlier server of that name is ended first. */
  readonly name: string;
  readonly argv: readonly string[];
  /** The absolute path of the working directory. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly size: WindowSize;
}

/** Whether a screen shows nothing, as while a CLI redraws it. */
export const isBlank = ({ rows }: Capture): boolean => rows.every((row) => row.trim() === '');

/** How often a screen is captured during a wait, in milliseconds. */
const everyMs = 100;

/**
 * Opens the window.
 * @throws FAILED_PRECONDITION when there is no tmux, or the folder is missing, UNAVAILABLE with what tmux said
 */
export async function openRecordingWindow(program: RecordedProgram): Promise<RecordingWindow> {
  const { runDir, name, argv, cwd, environment, size } = program;
  const terminals = createTmuxTerminals({ runDir, environment });
  await terminals.end(name);
  try {
    const terminal = await terminals.of(name);
    const { paneId } = await terminal.open({ agentId: 'recording', name, cwd, argv, env: {} });
    const windowId = await terminals.windowOf(name, paneId);
    const socket = socketOf(await makeSocketFolder(runDir), name);
    const ask = async (words: readonly string[]): Promise<void> =>
      void (await askServer({ tmux: ownTmux(), socket, environment, patience: 10_000 }, words));
    await ask(['set-option', '-g', 'status-left', '']);
    await ask(['set-option', '-g', 'status-right', 'Ctrl-b d: back to muster ']);
    await ask(['set-option', '-g', 'detach-on-destroy', 'on']);
    const attach = attachCommand(runDir, { family: name, windowId }, false);
    const window = new TmuxRecordingWindow({ terminals, terminal, name, paneId, windowId, attach, ask });
    await window.resize(size);
    return window;
  } catch (error) {
    await terminals.end(name).catch(() => undefined);
    await terminals.detach();
    throw error;
  }
}

interface Parts {
  readonly terminals: Terminals;
  readonly terminal: Terminal;
  readonly name: string;
  readonly paneId: string;
  readonly windowId: string;
  readonly attach: readonly string[];
  readonly ask: (words: readonly string[]) => Promise<void>;
}

class TmuxRecordingWindow implements RecordingWindow {
  readonly attach: readonly string[];
  readonly #parts: Parts;
  #ended: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.attach = parts.attach;
    this.#parts = parts;
  }

  async capture(): Promise<Capture> {
    const { terminal, paneId, name } = this.#parts;
    const capture = await terminal.capture(paneId);
    if (capture !== undefined) return capture;
    throw new Failure('PANE_NOT_FOUND', `the window of ${name} was closed: start again`);
  }

  async type(text: string): Promise<void> {
    await this.#parts.terminal.type(this.#parts.paneId, text);
  }

  async press(keys: readonly Key[]): Promise<void> {
    await this.#parts.terminal.press(this.#parts.paneId, keys);
  }

  async resize({ columns, rows }: WindowSize): Promise<void> {
    const { ask, windowId } = this.#parts;
    await ask(['resize-window', '-t', windowId, '-x', `${columns}`, '-y', `${rows}`]);
  }

  async still(quiet: number, limit: number): Promise<Capture> {
    const deadline = performance.now() + limit;
    let last = await this.capture();
    let since = performance.now();
    while (performance.now() < deadline) {
      await pause(everyMs);
      const now = await this.capture();
      const isSame = now.dead === last.dead && now.rows.join('\n') === last.rows.join('\n');
      if (!isSame) since = performance.now();
      last = now;
      if (now.dead || (!isBlank(now) && performance.now() - since >= quiet)) break;
    }
    return last;
  }

  end(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    const { terminals, name } = this.#parts;
    await terminals.end(name);
    await terminals.detach();
  }
}
