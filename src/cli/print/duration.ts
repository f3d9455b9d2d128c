import { elapsedText } from '#contract/elapsed.ts';

/** How long ago a time was, in its largest whole unit, such as `12m`; empty for an unknown time. */
export function ago(moment: string | undefined, now: number): string {
  const at = moment === undefined ? Number.NaN : Date.parse(moment);
  return Number.isNaN(at) ? '' : elapsedText(now - at);
}
