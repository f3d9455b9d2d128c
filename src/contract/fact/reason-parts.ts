/** Separates, in a reason, what happened from the last rows of the agent's screen. */
export const screenMark = '; its screen shows:';

/**
 * Where a screen begins in an agent's reason. Reasons stored by older versions, which the database still has, mark it
 * differently.
 */
const screenStart = new RegExp(
  [
    screenMark,
    '; the pane shows:',
    "\\nthe pane's last lines:",
    '(?<=the CLI (?:exited with status -?[0-9]+|was ended by (?:a signal|[A-Z0-9+]+))): ',
  ].join('|'),
);

/** A reason without the rows of a screen. */
export function withoutScreen(reason: string): string {
  const at = reason.search(screenStart);
  return at < 0 ? reason : reason.slice(0, at);
}

/** Separates, in the reason of a failed step, how its script failed from the end of the script's output. */
export const outputMark = '; its last output:\n';

/** A reason without a script's output. */
export function withoutOutput(reason: string): string {
  const at = reason.indexOf(outputMark);
  return at < 0 ? reason : reason.slice(0, at);
}
