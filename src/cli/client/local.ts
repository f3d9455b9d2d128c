import type { ViewedWindow, Viewer } from '#contract/pane/viewer.ts';
import type { Recording, RecordingRequest, TestedHarness } from './recording.ts';
import type { SignedRules } from './signed-rules.ts';

/** A screen that somebody gives, with what is known of its pane. */
export interface GivenScreen {
  readonly harness: string;
  /** Rows, one a line, with SGR escape sequences if they are known. */
  readonly screen: string;
  readonly title?: string | undefined;
  /** The version of the CLI; one that is newer than the rules is read more strictly. */
  readonly harnessVersion?: string | undefined;
  /** Columns and rows of the pane; those of the screen if they are left out. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** The process in the foreground of the pane. */
  readonly command?: string | undefined;
  /** Zero-based; the end of the last row where it is left out. */
  readonly cursor?: { readonly column: number; readonly row: number } | undefined;
  /** The last OSC 7501 and OSC 9;4 payloads. */
  readonly programStatus?: string | undefined;
  readonly progress?: string | undefined;
  readonly inMode?: boolean | undefined;
  readonly dead?: boolean | undefined;
}

/** What a screen reads as by this machine's rules. */
export interface ScreenReading {
  readonly state: string;
  readonly rule: string;
  readonly reason: string;
  readonly detail: string;
  readonly evidence: readonly string[];
}

/** A reading with the rules that lost against it, and those that decided. */
export interface ScreenExplanation {
  readonly reading: ScreenReading;
  readonly lost: readonly { readonly rule: string; readonly why: string }[];
  readonly rules: LocalRules;
}

/** Where a harness's rules come from on this machine. */
export interface LocalRules {
  readonly harness: string;
  readonly version: string;
  /** The file that changes or adds them, if there is one. */
  readonly file?: string | undefined;
  /** Why that file is refused; empty if it holds. */
  readonly faults: readonly { readonly line: number; readonly reason: string }[];
  /** What goes on in its place where it is refused. */
  readonly instead?: string | undefined;
  /** The newest version of the CLI whose screens the rules were recorded with. */
  readonly recordedWith?: string | undefined;
}

/** A harness as this machine knows it. */
export interface LocalHarness {
  readonly name: string;
  readonly command: string;
  /** The absolute path of its program, as a launch would find it; undefined if it is not there. */
  readonly program: string | undefined;
  readonly rules: LocalRules;
  /** How many rules hold; zero if nothing is known of it because its file is refused. */
  readonly ruleCount: number;
  readonly isBuiltIn: boolean;
  /**
   * What its file has launched, and the digest that a person confirms; undefined if it changes only how screens are
   * read.
   */
  readonly launch?: { readonly text: string; readonly digest: string } | undefined;
}

/** A file of rules that was written, and the digest of what it has launched. */
export interface WrittenHarness {
  readonly path: string;
  readonly digest: string;
}

/** A repository of this machine, seen from one of its folders. Paths are absolute and without symbolic links. */
export interface LocalRepository {
  /** The root of the files around the folder; the repository itself where it is bare. */
  readonly checkout: string;
  /** The checkout that the others are worktrees of; the repository itself where it is bare. */
  readonly main: string;
}

/** What a new harness is made from. */
export interface NewHarness {
  readonly name: string;
  readonly command: string | undefined;
  /** The built-in one that it is like. */
  readonly like: string | undefined;
}

/** A time at which a schedule fires. */
export interface FiringTime {
  /** RFC 3339 in UTC. */
  readonly at: string;
  /** What the zone's wall clock shows then, with its offset from UTC, such as `Sun 2026-03-29 03:00 +02:00`. */
  readonly local: string;
}

/**
 * What the command line does on this machine on its own, without the service. Whoever starts the command line provides
 * it, and it is loaded only if a command asks for it.
 */
export interface Local {
  /** Reads a screen. One of a harness that is not known reads as AGENT_STATE_UNCERTAIN by the rule `none`. */
  read(screen: GivenScreen): ScreenReading;
  /** As `read`, with the rules that lost. */
  explain(screen: GivenScreen): ScreenExplanation;
  /** Every harness, those that are built in first, and each whose file is refused. */
  harnesses(): readonly LocalHarness[];
  /**
   * The command that opens a window of a tmux server of this state folder; both names may be anybody's word.
   * @throws INVALID_ARGUMENT, FAILED_PRECONDITION
   */
  attachCommand(window: { readonly family: string; readonly windowId: string }, readOnly: boolean): readonly string[];
  /**
   * Opens a tmux session of the person's own with one window for each agent.
   * @throws FAILED_PRECONDITION, UNAVAILABLE
   */
  openViewer(windows: readonly ViewedWindow[], env: NodeJS.ProcessEnv): Promise<Viewer>;
  /**
   * The absolute path of a program on a PATH that nobody but root and the person can change; undefined if there is
   * none.
   */
  program(name: string, path: string): string | undefined;
  /**
   * The file: URL of a page that leads a browser to an address, readable by the person alone, and gone after this many
   * milliseconds.
   * @throws FAILED_PRECONDITION
   */
  signInPage(address: string, goodForMs: number): string;
  /**
   * Writes the file of a new harness.
   * @throws ALREADY_EXISTS, INVALID_ARGUMENT
   */
  addHarness(harness: NewHarness): Promise<WrittenHarness>;
  /**
   * Starts a CLI in a window of its own, to record its screens and learn its rules.
   * @throws ALREADY_EXISTS, INVALID_ARGUMENT, FAILED_PRECONDITION when there is no tmux or no such program, UNAVAILABLE
   */
  record(request: RecordingRequest): Promise<Recording>;
  /** How the recorded screens of each harness that has some are read by the rules that hold now. */
  testHarnesses(): readonly TestedHarness[];
  readonly signedRules: SignedRules;
  /** The repository that a folder lies in; undefined if it lies in none. */
  repository(folder: string): Promise<LocalRepository | undefined>;
  /** The id of the host that runs on this state folder; undefined if none ever did. */
  hostId(): string | undefined;
  /**
   * The next times of a cron expression in a timezone, blank for this machine's own, after a moment in milliseconds
   * since 1970.
   * @throws INVALID_ARGUMENT
   */
  firingTimes(cron: string, timezone: string, after: number, count: number): readonly FiringTime[];
}

/** Reads this machine's rules, those of the state folder included. */
export type OpenLocal = (stateFolder: string) => Promise<Local>;
