import type { ViewedWindow, Viewer } from '#contract/pane/viewer.ts';
import type { Recording, RecordingRequest, TestedHarness } from './recording.ts';
import type { SignedRules } from './signed-rules.ts';

/** A screen from a file or a pipe, with the known details of its pane. */
export interface ScreenInput {
  readonly harness: string;
  /** The rows, one per line, with SGR escape sequences if known. */
  readonly screen: string;
  readonly title?: string | undefined;
  /** The version of the CLI. A version newer than the rules is read more strictly. */
  readonly harnessVersion?: string | undefined;
  /** The size of the pane in columns and rows; by default that of the screen. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** The process in the foreground of the pane. */
  readonly command?: string | undefined;
  /** Counting from zero; by default the end of the last row. */
  readonly cursor?: { readonly column: number; readonly row: number } | undefined;
  /** The last OSC 7501 and OSC 9;4 payloads. */
  readonly programStatus?: string | undefined;
  readonly progress?: string | undefined;
  readonly inMode?: boolean | undefined;
  readonly dead?: boolean | undefined;
}

/** The reading of a screen by this computer's rules. */
export interface ScreenReading {
  readonly state: string;
  readonly rule: string;
  readonly reason: string;
  readonly detail: string;
  readonly evidence: readonly string[];
}

/** A reading with the rules that lost, and the rule set. */
export interface ScreenExplanation {
  readonly reading: ScreenReading;
  readonly lost: readonly { readonly rule: string; readonly why: string }[];
  readonly rules: LocalRules;
}

/** The source of a harness's rules on this computer. */
export interface LocalRules {
  readonly harness: string;
  readonly version: string;
  /** The file that changes or adds rules, if there is one. */
  readonly file?: string | undefined;
  /** Why that file is refused; empty if it is valid. */
  readonly faults: readonly { readonly line: number; readonly reason: string }[];
  /** Which rules apply instead if it is refused. */
  readonly instead?: string | undefined;
  /** The newest version of the CLI whose screens the rules were recorded with. */
  readonly recordedWith?: string | undefined;
}

/** A harness on this computer. */
export interface LocalHarness {
  readonly name: string;
  readonly command: string;
  /** The absolute path of its program, as a launch would find it; undefined if it is not installed. */
  readonly program: string | undefined;
  readonly rules: LocalRules;
  /** How many rules apply; zero if its file is refused and it is not built in. */
  readonly ruleCount: number;
  readonly isBuiltIn: boolean;
  /** The launch part of its file, and the digest that a person confirms; undefined if the file has none. */
  readonly launch?: { readonly text: string; readonly digest: string } | undefined;
}

/** A newly written rules file, and the digest of its launch part. */
export interface CreatedHarness {
  readonly path: string;
  readonly digest: string;
}

/** A repository on this computer, seen from a folder in it. Paths are absolute and without symbolic links. */
export interface LocalRepository {
  /** The root of the checkout that contains the folder; the repository itself if it is bare. */
  readonly checkout: string;
  /** The main checkout, whose worktrees the others are; the repository itself if it is bare. */
  readonly main: string;
}

/** The parameters of a new harness. */
export interface NewHarness {
  readonly name: string;
  readonly command: string | undefined;
  /** The built-in harness that it is based on. */
  readonly like: string | undefined;
}

/** A time at which a schedule fires. */
export interface FiringTime {
  /** RFC 3339 in UTC. */
  readonly at: string;
  /** The local time in the zone with its offset from UTC, such as `Sun 2026-03-29 03:00 +02:00`. */
  readonly local: string;
}

/**
 * The commands that run on this computer without the service. The caller of `runCli` provides it, and it is loaded only
 * when a command needs it.
 */
export interface LocalCommands {
  /** Reads a screen. For an unknown harness the result is AGENT_STATE_UNCERTAIN, by the rule `none`. */
  read(screen: ScreenInput): ScreenReading;
  /** As `read`, with the rules that lost. */
  explain(screen: ScreenInput): ScreenExplanation;
  /** Every harness, the built-in ones first, including those whose file is refused. */
  harnesses(): readonly LocalHarness[];
  /**
   * The command that opens a window of one of this state folder's tmux servers. Both names are untrusted.
   * @throws INVALID_ARGUMENT or FAILED_PRECONDITION when the window cannot be opened from here
   */
  attachCommand(window: { readonly family: string; readonly windowId: string }, readOnly: boolean): readonly string[];
  /** The command that opens a window through the service, as `muster attach --remote` does. */
  remoteAttachCommand(agentId: string, readOnly: boolean): readonly string[];
  /**
   * Opens a tmux session for the person, with one window for each agent.
   * @throws FAILED_PRECONDITION or UNAVAILABLE when tmux is missing or refuses
   */
  openViewer(windows: readonly ViewedWindow[], env: NodeJS.ProcessEnv): Promise<Viewer>;
  /** The absolute path of a program on a PATH. Only paths that root and the person alone can change count. */
  program(name: string, path: string): string | undefined;
  /**
   * Writes a page that redirects a browser to an address, and returns its file: URL. Only the person can read it, and
   * it is removed after `goodForMs` milliseconds.
   * @throws FAILED_PRECONDITION when it cannot be written
   */
  signInPage(address: string, goodForMs: number): string;
  /**
   * Writes the file of a new harness.
   * @throws ALREADY_EXISTS when there is such a file, INVALID_ARGUMENT when a parameter is invalid
   */
  addHarness(harness: NewHarness): Promise<CreatedHarness>;
  /**
   * Starts a CLI in a window of its own, to record its screens and learn its rules.
   * @throws ALREADY_EXISTS when the harness exists, INVALID_ARGUMENT when a parameter is invalid, FAILED_PRECONDITION
   * when   there is no tmux or no such program, UNAVAILABLE when the CLI cannot be started
   */
  record(request: RecordingRequest): Promise<Recording>;
  /** Reads the recorded screens of each harness by its current rules. */
  testHarnesses(): readonly TestedHarness[];
  readonly signedRules: SignedRules;
  /** The repository that contains a folder; undefined if none does. */
  repository(folder: string): Promise<LocalRepository | undefined>;
  /** The id of this state folder's host; undefined if it never had one. */
  hostId(): string | undefined;
  /**
   * The next times of a cron expression after a moment, in milliseconds since 1970. A blank time zone means this
   * computer's own.
   * @throws INVALID_ARGUMENT when the expression or the time zone is invalid
   */
  firingTimes(cron: string, timezone: string, after: number, count: number): readonly FiringTime[];
}

/** Opens `Local` with this computer's rules, including those of the state folder. */
export type OpenLocalCommands = (stateFolder: string) => Promise<LocalCommands>;
