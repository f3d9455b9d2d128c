/**
 * What a pane shows and sends at one moment: its visible screen (never the scrollback) with attributes, its title and
 * its last status sequences. It is the whole evidence that a state is decided from.
 */
export interface Capture {
  /** The visible rows from the top, with SGR escape sequences, without the blanks at their ends that nobody sees. */
  readonly rows: readonly string[];
  readonly title: string;
  /** The last OSC 7501 payload, such as `state=working`; empty if the CLI sent none. */
  readonly programStatus: string;
  /** The last OSC 9;4 payload (progress), such as `3;0`; empty if the CLI sent none. */
  readonly progress: string;
  /** Columns and rows of the pane. */
  readonly width: number;
  readonly height: number;
  /** Zero-based cell the cursor is on. */
  readonly cursor: { readonly column: number; readonly row: number };
  /** The name of the process in the foreground of the pane, such as `claude` or `bash`. */
  readonly command: string;
  /**
   * Whether the program in the foreground waits for a line to be typed; undefined if nobody looked, or it is unknown.
   */
  readonly awaitsLine?: boolean | undefined;
  /** Whether a person has put the pane into a tmux mode (scrolling), so that the live screen is hidden. */
  readonly inMode: boolean;
  /** Whether the pane's process has ended. */
  readonly dead: boolean;
}
