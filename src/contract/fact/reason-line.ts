import { withoutOutput, withoutScreen } from '#contract/fact/reason-parts.ts';

/**
 * A reason in one line: its first line without a script's output or a screen, followed by the line of these that best
 * explains the failure, if known.
 */
export function reasonLine(reason: unknown, line?: unknown): string {
  if (typeof reason !== 'string') return '';
  if (typeof line !== 'string' || line === '') return withoutOutput(reason).split('\n')[0] ?? '';
  return `${withoutScreen(withoutOutput(reason)).split('\n')[0]}: ${line}`;
}
