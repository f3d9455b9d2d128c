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
  readonly screens: HarnessScreens;
}

/** The whole command line of a launch. `flags` are words already split. */
export function argvOf(harness: Harness, flags: readonly string[], sessionId: string, resume: boolean): string[] {
  const own = (resume ? harness.resume : harness.start).map((word) => word.replace('{sessionId}', sessionId));
  return [harness.command, ...own, ...flags];
}
