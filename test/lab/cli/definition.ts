/** Where a CLI finds its person's files and its model. */
export interface CliPlace {
  /** The person's home folder. */
  readonly home: string;
  /** The stub model, without a slash at the end. */
  readonly modelUrl: string;
  /** A shell command that the person's own hook runs at the end of a turn. */
  readonly ownHook: string;
}

/** A key, by tmux's name, that a person presses where the screen shows something. */
export interface Keystroke {
  readonly on: RegExp;
  readonly key: string;
}

/** How one real CLI is set up so that it needs no account and no network, and how a person answers it. */
export interface LabCli {
  readonly harness: string;
  /** Its npm package, and the version that is known here. */
  readonly package: string;
  readonly version: string;
  /** Flags that agents are launched with. */
  readonly flags: string;
  /** What it reports of itself at work, asking for permission, and at the end of a turn. */
  readonly says: { readonly working: string; readonly asking: string; readonly done: string };
  /** Writes its configuration, with a hook of the person's own; answers with the variables that it needs. */
  setUp(place: CliPlace): Record<string, string>;
  /**
   * Notes a folder as trusted, as the CLI itself does once a person has said so. Undefined if a CLI asks for no trust.
   */
  readonly trust?: (home: string, folder: string) => void;
  /** Answers yes to the question whether the folder is trusted. */
  readonly trusting: readonly Keystroke[];
  /** Answers no, after which the CLI ends. */
  readonly distrusting?: readonly Keystroke[];
  /** Allows a tool once. */
  readonly allowing: readonly Keystroke[];
  /** Ends a turn that is under way. */
  readonly interrupting: readonly Keystroke[];
  /** What a pasted text is by the time the CLI sends it: the text itself if this is left out. */
  readonly sends?: (text: string) => string;
  /** Takes off what the CLI puts around a pasted text. */
  readonly unwrap?: (sent: string) => string;
}

/** A key that no vendor knows. */
export const dummyKey = 'sk-stub-0000000000000000000000000000';
