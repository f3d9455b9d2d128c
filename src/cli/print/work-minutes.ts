import { Failure } from '#contract/failure.ts';
import { intervalMs, intervalRule } from '#contract/parse/interval.ts';
import { quoted } from '#contract/quoted.ts';

/** Time at work, such as `90m` or `8h`, in minutes. @throws INVALID_ARGUMENT when the text is none */
export function workMinutes(text: string): number {
  const ms = intervalMs(text);
  if (ms === undefined) throw new Failure('INVALID_USAGE', `the time at work ${quoted(text)} is not ${intervalRule}`);
  return ms / 60_000;
}
