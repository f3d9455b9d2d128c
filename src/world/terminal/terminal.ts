import type { Key } from '#contract/key.ts';
import type { Capture } from '#contract/pane/capture.ts';

/** Describes a window to be opened. */
export interface WindowSpec {
  /**
   * The agent that the window belongs to. The window is tagged with it. A window with the tag is adopted, and never
   * opened twice.
   */
  readonly agentId: string;
  /** The window's name as people see it. */
  readonly name: string;
  /** An absolute directory that exists. */
  readonly cwd: string;
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** Added to the clean environment that the terminal was started with. Values never appear in a process listing. */
  readonly env: Readonly<Record<string, string>>;
}

/** One pane as the terminal itself reports it. */
export interface Pane {
  readonly agentId: string;
  /** Identifies the pane until the terminal is lost; the next terminal uses the same ids again. */
  readonly paneId: string;
  readonly pid: number;
  readonly dead: boolean;
  /** Exit status if the process ended on its own, else undefined. */
  readonly exitStatus: number | undefined;
  /** The name of the signal that ended it, such as `SIGKILL`; undefined if none did, or it is unknown. */
  readonly exitSignal?: string | undefined;
}

/**
 * The outcome of a write to a pane. Unless it is `written`, nothing was written. `in-mode` means that a person is
 * scrolling in the pane, and `late` that its time was over before the terminal executed it. A write that fails as
 * `unavailable` may or may not have been executed: `stampOf` shows which.
 */
export type WriteOutcome = 'written' | 'in-mode' | 'dead' | 'gone' | 'late';

/** Reports a problem in a terminal that was handled. */
export type TerminalLog = (message: string, detail: Record<string, unknown>) => void;

/**
 * Something happened: use `capture` or `panes` to see what. `frames` has a number for each piece of output, if output
 * is all that happened; pieces that differ only in digits and colours have the same number. `lost`: the terminal has
 * ended with all its panes; the next `open` starts it again.
 */
export type TerminalHint =
  | { readonly kind: 'output'; readonly paneId: string; readonly frames?: readonly number[] | undefined }
  | { readonly kind: 'panes' }
  | { readonly kind: 'lost' };

/**
 * One family's terminal: the windows of an agent and of its children, on one private tmux server, or in this process.
 * If the terminal cannot be reached, its methods reject with a Failure `unavailable`: that is never a death. If it has
 * ended, there are no panes.
 */
export interface Terminal {
  /**
   * Opens a window, or adopts the one that already carries the agent's id, dead or alive; either way there is one.
   * @throws INVALID_ARGUMENT, FAILED_PRECONDITION when the directory is missing, UNAVAILABLE
   */
  open(spec: WindowSpec): Promise<Pane>;
  /** Every pane that carries an agent's id, dead ones too: the only truth about life and death. */
  panes(): Promise<Pane[]>;
  /**
   * The last result of `panes`, if nothing suggests that it has changed since; otherwise undefined. Costs almost
   * nothing, because it sends no query.
   */
  knownPanes(): readonly Pane[] | undefined;
  /** The current screen of a pane; undefined if there is no such pane. */
  capture(paneId: string): Promise<Capture | undefined>;
  /**
   * The name of the program in the foreground, by the pane's processes: a capture's `command` names the shell if a
   * script has started the program. Undefined if it is unknown.
   */
  frontProgram(paneId: string): Promise<string | undefined>;
  /** Whether the program in the foreground waits for a line to be typed; undefined if it is unknown. */
  awaitsLine(paneId: string): Promise<boolean | undefined>;
  /**
   * Pastes a text as one bracketed paste and, in the same atomic step, stamps the pane with `stamp`, so that after a
   * crash `stampOf` shows that it was pasted. Line ends become LF; control characters that could leave the paste, and
   * line ends at the very end, are removed. A stamp is at most 200 printable ASCII characters; without one the pane
   * keeps the last. Nothing is pasted from `until` on, in milliseconds since 1970 by the machine's clock, which the
   * terminal itself reads in that step: however long a write is delayed on its way, it is never late. The same
   * holds for all methods that write.
   */
  paste(paneId: string, text: string, stamp?: string, until?: number): Promise<WriteOutcome>;
  /** Presses Enter and stamps the pane in the same atomic step. */
  submit(paneId: string, stamp?: string, until?: number): Promise<WriteOutcome>;
  /**
   * Presses keys, one after the other: to interrupt or to answer. A key right after Escape is read by most programs as
   * one with Alt held: press Escape alone.
   */
  press(paneId: string, keys: readonly Key[], until?: number): Promise<WriteOutcome>;
  /**
   * Types a text as a person does, character after character, not as a paste; control characters are left out.
   */
  type(paneId: string, text: string, until?: number): Promise<WriteOutcome>;
  /** The last stamp, or an empty string. */
  stampOf(paneId: string): Promise<string>;
  rename(paneId: string, name: string): Promise<void>;
  /** Ends the pane's process tree and closes the window. A pane that is gone already is not an error. */
  close(paneId: string): Promise<void>;
  /** Calls the listener on hints until the returned function is called. */
  onHint(listener: (hint: TerminalHint) => void): () => void;
  /** Whether it is known to have ended with all its panes; `open` starts it again. */
  readonly ended: boolean;
  /** Whether this process has released it: it then no longer works, and `Terminals.of` returns another one. */
  readonly released: boolean;
  /** Releases the terminal. Its panes stay alive if they can without this process. May be called twice. */
  detach(): Promise<void>;
}

/** The machine's terminals, one per family. */
export interface Terminals {
  /** The terminal of a family, started if it does not run yet. A family is named by its root agent's id. */
  of(family: string): Promise<Terminal>;
  /**
   * The terminal of a family if it is running; starts none.
   * @throws UNAVAILABLE when it runs but does not answer
   */
  find(family: string): Promise<Terminal | undefined>;
  /** Whether a family's terminal runs now, also one started by an earlier process. */
  runs(family: string): Promise<boolean>;
  /** All families whose terminals run now. It checks every process of the machine: for a known family, use `runs`. */
  running(): Promise<string[]>;
  /**
   * The terminal's own answer, without existing connections and caches: its
   * agents' panes; undefined if it has certainly ended. @throws UNAVAILABLE when it does not answer
   */
  ask(family: string): Promise<Pane[] | undefined>;
  /** Those of these families whose terminals run and have this installation's mark. */
  own(families: readonly string[]): Promise<string[]>;
  /**
   * The commands by which a person attaches to a family's terminal on this machine, and ends it with everything in it.
   */
  commands(family: string): { readonly attach: string; readonly end: string };
  /** The reason given for the end of the agents of a terminal that has ended. */
  readonly endReason: string;
  /**
   * The id of the window that a pane is in, for a person to attach to.
   * @throws NOT_FOUND when there is no such pane, FAILED_PRECONDITION when attaching is impossible
   */
  windowOf(family: string, paneId: string): Promise<string>;
  /** Ends the family's terminal with everything in it. */
  end(family: string): Promise<void>;
  /** Releases a family's terminal, running or not: frees what this process holds for it. Its panes stay alive. */
  release(family: string): Promise<void>;
  /** Releases all terminals. Their panes stay alive if they can without this process. */
  detach(): Promise<void>;
}
