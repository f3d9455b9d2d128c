import type { Key } from '#contract/key.ts';
import type { Capture } from '#contract/pane/capture.ts';
import type { RecordedScreen, ScreenLabel } from '#contract/pane/recorded-screen.ts';

/** The program to record, and its window. */
export interface RecordingRequest {
  /** The new harness's name. */
  readonly name: string;
  /**
   * The program, as an absolute path or a name to look up on the PATH, and its arguments. Empty: those of the resumed
   * recording, else the harness's name.
   */
  readonly command: readonly string[];
  /** The built-in harness to start from; undefined for the one that reads the screens best. */
  readonly like: string | undefined;
  /** The absolute path of a folder to work in; undefined for a new one that is removed at the end. */
  readonly cwd: string | undefined;
  /** Variables of the person's environment that the CLI needs, as agents get them. */
  readonly variables: readonly string[];
  /** Whether to add to the screens of an earlier recording. */
  readonly resume: boolean;
  /** The size of the window while the person drives the CLI, in cells. */
  readonly size: { readonly columns: number; readonly rows: number };
}

/** How the screens of one label are read. Counts are of screens. */
export interface LabelResult {
  readonly label: ScreenLabel;
  readonly right: number;
  readonly uncertain: number;
  readonly wrong: number;
  /** How many different moments were recorded. */
  readonly moments: number;
  /** At which sizes, such as `80x24`. */
  readonly sizes: readonly string[];
  /**
   * How many are read correctly by rules that were learned from the other sizes; undefined if there is only one size.
   */
  readonly heldOut?: number | undefined;
}

/** A screen that is read differently from its label. */
export interface MisreadScreen {
  readonly screen: string;
  readonly label: ScreenLabel;
  readonly state: string;
  readonly reason: string;
  readonly rule: string;
  readonly verdict: 'uncertain' | 'wrong';
}

/** The results of reading a harness's recorded screens by its rules. */
export interface TestedHarness {
  readonly name: string;
  /** The folder with the screens. */
  readonly folder: string;
  readonly labels: readonly LabelResult[];
  readonly misread: readonly MisreadScreen[];
  /** Common labels without a recorded screen. */
  readonly unseen: readonly ScreenLabel[];
}

/** The learned rules, and where they were written. */
export interface LearnedHarness extends TestedHarness {
  /** The rules file. */
  readonly path: string;
  /** Its launch part as JSON, and the digest that a person confirms. */
  readonly launch: string;
  readonly digest: string;
  /** The built-in harness that it starts from; undefined if it starts from the general rules. */
  readonly like: string | undefined;
  /** How many screens those rules alone read correctly, and how many there are. */
  readonly rightBefore: number;
  readonly total: number;
  /** Features that the rules rely on and that may change with the CLI's theme or version, in words. */
  readonly cautions: readonly string[];
}

/** A CLI that runs in a window of its own while its screens are recorded. */
export interface Recording {
  /** The program that runs, and its arguments. */
  readonly command: readonly string[];
  /** The folder of the screens. */
  readonly folder: string;
  /** The command line that shows the window to a person. */
  readonly attach: readonly string[];
  /** All recorded screens, including those of earlier recordings. */
  screens(): readonly RecordedScreen[];
  capture(): Promise<Capture>;
  /** Its screen once that no longer changes, or after `limitMs`. */
  still(limitMs: number): Promise<Capture>;
  type(text: string): Promise<void>;
  press(keys: readonly Key[]): Promise<void>;
  /** Records what it shows now, in several frames and at two sizes, under a label. */
  record(label: ScreenLabel): Promise<readonly RecordedScreen[]>;
  /**
   * Removes the last moment of a label, or without one the last that was recorded here. Returns its label; undefined if
   * there is none.
   */
  undo(label: ScreenLabel | undefined): ScreenLabel | undefined;
  /** Learns rules from all screens, and writes them. @throws INVALID_ARGUMENT when there is too little to learn from */
  learn(): LearnedHarness;
  /** Ends the CLI and its window; the screens stay. May be called twice. */
  close(): Promise<void>;
}
