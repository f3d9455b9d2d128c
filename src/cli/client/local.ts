import type { ViewedWindow, Viewer } from '#contract/pane/viewer.ts';

/** A screen that somebody gives, with what is known of its pane. */
export interface GivenScreen {
  readonly harness: string;
  /** Rows, one a line, with SGR escape sequences where they are known. */
  readonly screen: string;
  readonly title?: string | undefined;
  /** Columns and rows of the pane; those of the screen where they are left out. */
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
  /** The file that changes or adds them, where there is one. */
  readonly file?: string | undefined;
  /** Why that file is refused; empty where it holds. */
  readonly faults: readonly { readonly line: number; readonly reason: string }[];
  /** What goes on in its place where it is refused. */
  readonly instead?: string | undefined;
}

/** A harness as this machine knows it. */
export interface LocalHarness {
  readonly name: string;
  readonly command: string;
  /** The absolute path of its program, as a launch would find it; undefined where it is not there. */
  readonly program: string | undefined;
  readonly rules: LocalRules;
  /** How many rules hold; zero where nothing is known of it because its file is refused. */
  readonly ruleCount: number;
  readonly isBuiltIn: boolean;
  /** What its file has launched, and the digest that a person confirms; undefined where it changes only how screens are read. */
  readonly launch?: { readonly text: string; readonly digest: string } | undefined;
}

/** A file of rules that was written, and the digest of what it has launched. */
export interface WrittenHarness {
  readonly path: string;
  readonly digest: string;
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
 * What the command line does on this machine by itself, without the service. Whoever starts the command line provides it,
 * and it is loaded only where a command asks for it.
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
   * @throws Failure `invalid_argument`, `failed_precondition`
   */
  attachCommand(window: { readonly family: string; readonly windowId: string }, readOnly: boolean): readonly string[];
  /**
   * Opens a tmux session of the person's own with one window for each agent.
   * @throws Failure `failed_precondition`, `unavailable`
   */
  openViewer(windows: readonly ViewedWindow[], env: NodeJS.ProcessEnv): Promise<Viewer>;
  /** The absolute path of a program on a PATH that nobody but root and the person can change; undefined where there is none. */
  program(name: string, path: string): string | undefined;
  /**
   * The file: URL of a page that leads a browser to an address, readable by the person alone, and gone after so many milliseconds.
   * @throws Failure `failed_precondition`
   */
  signInPage(address: string, goodForMs: number): string;
  /**
   * Writes the file of a new harness.
   * @throws Failure `already_exists`, `invalid_argument`
   */
  addHarness(harness: NewHarness): Promise<WrittenHarness>;
  /** The id of the host that runs on this state folder; undefined where none ever did. */
  hostId(): string | undefined;
  /**
   * The next times of a cron expression in a timezone, blank for this machine's own, after a moment in milliseconds since 1970.
   * @throws Failure `invalid_argument`
   */
  firingTimes(cron: string, timezone: string, after: number, count: number): readonly FiringTime[];
}

/** Reads this machine's rules, those of the state folder included. */
export type OpenLocal = (stateFolder: string) => Promise<Local>;
