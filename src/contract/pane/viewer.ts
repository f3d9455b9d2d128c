/** A window of the viewer: its name, and the command that shows the agent's own window in it. */
export interface ViewedWindow {
  readonly name: string;
  readonly command: readonly string[];
}

/** A viewer that is ready to attach to. */
export interface Viewer {
  /** The command to run in the person's terminal. It ends when the person detaches. */
  readonly command: readonly string[];
  /** Closes the viewer. The agents keep running. */
  close(): Promise<void>;
}
