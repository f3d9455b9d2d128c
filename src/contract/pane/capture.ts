/**
 * The content of a pane at one moment: its visible screen (never the scrollback) with attributes, its title and its
 * last status sequences. A state is decided from nothing else.
 */
export interface Capture {
  /** The visible rows from the top, with SGR escape sequences and without invisible trailing blanks. */
  readonly rows: readonly string[];
  readonly title: string;
  /** The last OSC 7501 payload, such as `state=working`; empty if the CLI sent none. */
  readonly programStatus: string;
  /** The last OSC 9;4 payload (progress), such as `3;0`; empty if the CLI sent none. */
  readonly progress: string;
  /** The size of the pane in columns and rows. */
  readonly width: number;
  readonly height: number;
  /** The cell of the cursor, counting from zero. */
  readonly cursor: { readonly column: number; readonly row: number };
  /** The name of the process in the foreground of the pane, such as `claude` or `bash`. */
  readonly command: string;
  /** Whether the foreground program is reading a line from the terminal; undefined if unknown. */
  readonly awaitsLine?: boolean | undefined;
  /** How long the pane has printed nothing, in milliseconds, exact to a second; undefined if unknown. */
  readonly silentMs?: number | undefined;
  /** Whether the pane is in a tmux mode, such as scrolling, which hides the live screen. */
  readonly inMode: boolean;
  /** Whether the pane's process has ended. */
  readonly dead: boolean;
}
