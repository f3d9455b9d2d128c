/** A window of the viewer: its name, and the command that opens the agent's own window in it. */
export interface ViewedWindow {
  readonly name: string;
  readonly command: readonly string[];
}

/** A viewer that waits to be looked at. */
export interface Viewer {
  /** What a terminal is handed to; it ends when the person leaves. */
  readonly command: readonly string[];
  /** Closes it; the agents continue. */
  close(): Promise<void>;
}
