import type { Key } from '#contract/key.ts';
import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import type { ConversationPlace } from './conversation/place.ts';
import type { IsolatedNeeds } from './isolated/needs.ts';
import type { Reports } from './reports.ts';
import type { Tools } from './tools.ts';

/** The definition of one coding-agent CLI, as data. */
export interface Harness {
  readonly name: string;
  /** The program, looked up on the host's PATH. */
  readonly command: string;
  /** Arguments with which the program prints its version and exits. Without them it is never asked. */
  readonly versionArgs?: readonly string[];
  /** The newest version of the CLI whose screens the rules were recorded with; undefined if none were recorded. */
  readonly recordedWith?: string;
  /**
   * Arguments of a first start; `{sessionId}` stands for the agent's conversation id. The agent's flags follow them.
   */
  readonly start: readonly string[];
  /** Arguments that resume the agent's own conversation. */
  readonly resume: readonly string[];
  /** The same if the conversation's id is unknown: they resume the newest one in the folder. */
  readonly resumeLatest?: readonly string[];
  /** Options of these that older versions lack: they are left away if the CLI's help does not name them. */
  readonly mayLack?: readonly string[];
  /**
   * Where it keeps its conversations, so that one can be carried to another host; `none` if it has none. Undefined if
   * that is not known: then its agents do not move.
   */
  readonly conversation?: ConversationPlace | 'none';
  /** What it needs when it is isolated. Undefined: nothing but what a person grants. */
  readonly isolated?: IsolatedNeeds;
  /** Added to the environment of its pane. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Variables of the person's environment that it needs, such as its API key. A name that ends with `*` matches all
   * names with that prefix.
   */
  readonly variables?: readonly string[];
  /** How a turn is interrupted. Default: Escape, at most twice. */
  readonly interrupt?: Interrupt;
  /** Whether it accepts a prompt while it works, and queues it. */
  readonly takesPromptsAtWork?: boolean;
  /**
   * Options, as expressions, with which its question at a usage limit is answered: the first that it offers. They wait
   * for the end of the limit, or try again.
   */
  readonly limitChoices?: readonly string[];
  /** The prefix of a comment, if every line is run as a command. */
  readonly notePrefix?: string;
  /**
   * Prefixes of a prompt that it interprets as a command, of its own or of a shell. Undefined if unknown: then the
   * prefixes of all CLIs count. Empty if every line is a command anyway.
   */
  readonly commandPrefixes?: readonly string[];
  /** How it is made to report what it is doing. */
  readonly reports?: Reports;
  /** How it gets muster's tools. */
  readonly tools?: Tools;
  /** Whether it is a coding agent. Verdicts of others do not count. */
  readonly codingAgent?: boolean;
  readonly screens: HarnessScreens;
  /** Set if a file defines its launch and no person has confirmed that: then it is not launched. */
  readonly isUnconfirmed?: true;
}

/** The key that interrupts a turn, and how often it is pressed at most: some CLIs require it twice. */
export interface Interrupt {
  readonly key: Key;
  readonly presses: number;
  /**
   * How long to wait before the key is pressed again, in milliseconds, for CLIs that require a second press shortly
   * after the first.
   */
  readonly againMs?: number;
}

/** How a CLI is asked to continue after a limit; the prompt is empty if every line is run as a command. */
export function howToContinue(harness: Pick<Harness, 'notePrefix' | 'commandPrefixes' | 'limitChoices'> | undefined): {
  readonly prompt: string;
  readonly choices: readonly string[];
} {
  const runsLines = harness?.notePrefix !== undefined || harness?.commandPrefixes?.length === 0;
  return { prompt: harness === undefined || runsLines ? '' : 'continue', choices: harness?.limitChoices ?? [] };
}

/** How a turn of the CLI is interrupted. */
export function interruptOf({ interrupt }: Pick<Harness, 'interrupt'>): Interrupt {
  return interrupt ?? { key: 'Escape', presses: 2 };
}

/** The harness without the options that its CLI may lack, and that are not named in the help of the installed version. */
export function withoutLacking(harness: Harness, help: string): Harness {
  const named = new Set(help.match(/(?<![\w-])--[\w-]+/g));
  const lacking = harness.mayLack?.filter((option) => !named.has(option)) ?? [];
  const left = (words: readonly string[]) => words.filter((word) => !lacking.includes(word));
  const { start, resume, resumeLatest } = harness;
  return {
    ...harness,
    start: left(start),
    resume: left(resume),
    ...(resumeLatest !== undefined && { resumeLatest: left(resumeLatest) }),
  };
}

/** The conversation that a CLI is started with. */
export interface Conversation {
  /** Whether the agent's own conversation is resumed. */
  readonly resume: boolean;
  /** The id of the agent's own conversation, if known. */
  readonly known: string | undefined;
  /** The id for a new conversation, for CLIs that accept one. */
  readonly fresh: string;
}

/** A command line, and the id of the conversation that it names; undefined if it names none. */
export interface CommandLine {
  readonly argv: readonly string[];
  readonly sessionId: string | undefined;
}

/** The complete command line of a launch. `flags` are already split into words. */
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
