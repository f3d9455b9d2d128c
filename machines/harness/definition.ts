import type { Key } from '#contract/key.ts';
import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import type { Reports } from './reports.ts';
import type { Tools } from './tools.ts';

/** The definition of one coding-agent CLI, as data. */
export interface Harness {
  readonly name: string;
  /** The program, looked up on the host's PATH. */
  readonly command: string;
  /** Arguments by which the program prints its version and ends; it is never asked without them. */
  readonly versionArgs?: readonly string[];
  /** The newest version of the CLI whose screens the rules were recorded with; undefined if no screen of one was. */
  readonly recordedWith?: string;
  /**
   * Arguments of a first start; `{sessionId}` stands for the agent's conversation id. The agent's flags follow them.
   */
  readonly start: readonly string[];
  /** Arguments that resume the agent's own conversation. */
  readonly resume: readonly string[];
  /** The same if the conversation's id is not known: they take up the newest one in the folder. */
  readonly resumeLatest?: readonly string[];
  /** Added to the environment of its pane. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Variables of the person's environment that it needs, such as its key; one that ends with `*` stands for all that
   * begin so.
   */
  readonly variables?: readonly string[];
  /** How a turn under way is ended; Escape, twice at most, if this is left out. */
  readonly interrupt?: Interrupt;
  /** Whether it takes a prompt while it is at work, to be done next. */
  readonly takesPromptsAtWork?: boolean;
  /** What makes a line a note if a line is run as a command. */
  readonly notePrefix?: string;
  /**
   * What it takes for a command, of its own or of a shell, at the beginning of a prompt. Where this is left out it is
   * not known, and all that any CLI takes for one counts; none where each line is a command anyway.
   */
  readonly commandPrefixes?: readonly string[];
  /** How it is made to report what it is doing. */
  readonly reports?: Reports;
  /** How it is given muster's tools. */
  readonly tools?: Tools;
  /**
   * Whether a coding agent is behind it. One that does not say so is none: what it concludes of others' work counts for
   * nothing.
   */
  readonly codingAgent?: boolean;
  readonly screens: HarnessScreens;
  /** Set if what a file has it launch waits for a person: its screens are read, and it is not launched. */
  readonly isUnconfirmed?: true;
}

/** The key that ends a turn, and how often it is pressed at most if the turn continues: some CLIs ask for it twice. */
export interface Interrupt {
  readonly key: Key;
  readonly presses: number;
  /**
   * How long the turn may take to end before the key is pressed again, in milliseconds, if the CLI counts presses
   * together only for a moment; undefined if it takes its time.
   */
  readonly againMs?: number;
}

/** How a turn of the CLI is ended. */
export function interruptOf({ interrupt }: Pick<Harness, 'interrupt'>): Interrupt {
  return interrupt ?? { key: 'Escape', presses: 2 };
}

/** Which conversation a CLI is started with. */
export interface Conversation {
  /** Whether the agent's own is taken up again. */
  readonly resume: boolean;
  /** The id of the agent's own, if it is known. */
  readonly known: string | undefined;
  /** The id that a CLI which takes one begins a new conversation with. */
  readonly fresh: string;
}

/** A command line, and the conversation that it names; undefined if it names none. */
export interface CommandLine {
  readonly argv: readonly string[];
  readonly sessionId: string | undefined;
}

/** The whole command line of a launch. `flags` are words already split. */
export function commandLineOf(harness: Harness, flags: readonly string[], conversation: Conversation): CommandLine {
  const { words, id } = ownWords(harness, conversation);
  const own = words.map((word) => word.replace(placeholder, id ?? ''));
  return { argv: [harness.command, ...own, ...flags], sessionId: names(words) ? id : undefined };
}

const placeholder = '{sessionId}';

/** The harness's own arguments, and the id for their placeholder. */
function ownWords(
  { start, resume, resumeLatest }: Harness,
  { resume: resumes, known, fresh }: Conversation,
): { readonly words: readonly string[]; readonly id: string | undefined } {
  if (!resumes) return { words: start, id: fresh };
  const id = known ?? (names(start) ? fresh : undefined);
  if (id !== undefined || !names(resume)) return { words: resume, id };
  return resumeLatest === undefined ? { words: start, id: fresh } : { words: resumeLatest, id };
}

function names(words: readonly string[]): boolean {
  return words.some((word) => word.includes(placeholder));
}
