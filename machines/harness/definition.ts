import type { Key } from '#contract/key.ts';
import type { HarnessScreens } from '#contract/screen-rule.ts';

/** All that is known of one coding-agent CLI, as data. */
export interface Harness {
  readonly name: string;
  /** The program, looked up on the host's PATH. */
  readonly command: string;
  /** Arguments of a first start; `{sessionId}` stands for the agent's conversation id. The agent's flags follow them. */
  readonly start: readonly string[];
  /** Arguments that take the agent's own conversation up again. */
  readonly resume: readonly string[];
  /** Added to the environment of its pane. */
  readonly env: Readonly<Record<string, string>>;
  /** How a turn under way is ended; Escape, twice at most, where this is left out. */
  readonly interrupt?: Interrupt;
  /** Whether it takes a prompt while it is at work, to be done next. */
  readonly takesPromptsAtWork?: boolean;
  readonly screens: HarnessScreens;
}

/** The key that ends a turn, and how often it is pressed at most where the turn goes on: some CLIs ask for it twice. */
export interface Interrupt {
  readonly key: Key;
  readonly presses: number;
}

/** How a turn of the CLI is ended. */
export function interruptOf({ interrupt }: Pick<Harness, 'interrupt'>): Interrupt {
  return interrupt ?? { key: 'Escape', presses: 2 };
}

/** The whole command line of a launch. `flags` are words already split. */
export function argvOf(harness: Harness, flags: readonly string[], sessionId: string, resume: boolean): string[] {
  const own = (resume ? harness.resume : harness.start).map((word) => word.replace('{sessionId}', sessionId));
  return [harness.command, ...own, ...flags];
}
