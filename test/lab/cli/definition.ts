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
  /** After how many milliseconds it is pressed again, for a CLI that wants it twice shortly one after the other. */
  readonly againMs?: number;
}

/** How one real CLI is set up so that it needs no account and no network. */
export interface CliSetUp {
  readonly harness: string;
  /** Writes its configuration, with a hook of the person's own; answers with the variables that it needs. */
  setUp(place: CliPlace): Record<string, string>;
  /** Arguments of a command of its own by which a person signs in before the first start. */
  readonly signIn?: (modelUrl: string) => readonly string[];
  /** Answers yes to the question whether the folder is trusted; empty if it asks no such question. */
  readonly trusting: readonly Keystroke[];
}

/** The same, and how a person lives with it through an agent's whole life. */
export interface LabCli extends CliSetUp {
  /** Flags that agents are launched with. */
  readonly flags: string;
  /** What it reports of itself at work, asking for permission, and at the end of a turn. Undefined if it reports nothing. */
  readonly says?: { readonly working: string; readonly asking: string; readonly done: string };
  /**
   * Notes a folder as trusted, as the CLI itself does once a person has said so. Undefined if a CLI asks for no trust.
   */
  readonly trust?: (home: string, folder: string) => void;
  /** Answers no, after which the CLI ends. */
  readonly distrusting?: readonly Keystroke[];
  /** The file that it signs in with, and a command of its own that saves another key in it. Undefined if it has none. */
  readonly login?: { readonly file: string; readonly renew: string; readonly key: string };
  /** Set if it has no conversation of each agent, but one of the folder, and takes a text of one line only. */
  readonly conversation?: 'of the folder';
  /** Allows a tool once. */
  readonly allowing: readonly Keystroke[];
  /** Ends a turn that is under way. */
  readonly interrupting: readonly Keystroke[];
  /** Empties its composer, into which it puts a prompt back whose turn was interrupted. Undefined if it does not. */
  readonly emptying?: readonly Keystroke[];
  /** What a pasted text is by the time the CLI sends it: the text itself if this is left out. */
  readonly sends?: (text: string) => string;
  /** Takes off what the CLI puts around a pasted text. */
  readonly unwrap?: (sent: string) => string;
}

/** A key that no vendor knows. */
export const dummyKey = 'sk-stub-0000000000000000000000000000';
