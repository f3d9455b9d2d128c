/** Separates, in a reason, what happened from the last rows of the agent's screen. */
export const screenMark = '; its screen shows:';

/**
 * How a screen begins in the reasons of agents, those that were stored before it had its own mark included: they are
 * returned as stored in the database.
 */
const screenStart = new RegExp(
  [
    screenMark,
    '; the pane shows:',
    "\\nthe pane's last lines:",
    '(?<=the CLI (?:exited with status -?[0-9]+|was ended by (?:a signal|[A-Z0-9+]+))): ',
  ].join('|'),
);

/** A reason without what stood on a screen. */
export function withoutScreen(reason: string): string {
  const at = reason.search(screenStart);
  return at < 0 ? reason : reason.slice(0, at);
}

/** Is between how a script failed and the end of what it wrote, in the reason of a step that failed because of it. */
export const outputMark = '; its last output:\n';

/** A reason without what a script wrote. */
export function withoutOutput(reason: string): string {
  const at = reason.indexOf(outputMark);
  return at < 0 ? reason : reason.slice(0, at);
}
