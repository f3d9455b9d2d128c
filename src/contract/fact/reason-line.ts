import { withoutOutput, withoutScreen } from '#contract/fact/reason-parts.ts';

/**
 * A reason on one line: its first, without what a script wrote or a screen showed, and then the line of that which says
 * most about why, if it is known.
 */
export function reasonLine(reason: unknown, line?: unknown): string {
  if (typeof reason !== 'string') return '';
  if (typeof line !== 'string' || line === '') return withoutOutput(reason).split('\n')[0] ?? '';
  return `${withoutScreen(withoutOutput(reason)).split('\n')[0]}: ${line}`;
}
