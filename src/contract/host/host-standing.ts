/** What a host's standing is read from, off the wire or from the generated client. */
interface WireStanding {
  readonly draining?: boolean | undefined;
  readonly agentsAtWork?: number | undefined;
}

/**
 * Whether a host takes new agents: `cordoned` if a person has closed it to them, and `drained` once none of its agents
 * is at work either; empty if it takes them.
 */
export function standingWord({ draining = false, agentsAtWork = 0 }: WireStanding): '' | 'cordoned' | 'drained' {
  if (!draining) return '';
  return agentsAtWork > 0 ? 'cordoned' : 'drained';
}

/** How far a clock may be off before it is shown as wrong, in milliseconds. */
export const maxClockOffsetMs = 5_000;

/** By how much a clock is ahead, such as `+0.4 s` or `-3600 s`; empty if that is not known. */
export function clockText(offsetMs: string | bigint | number | undefined): string {
  if (offsetMs === undefined) return '';
  const seconds = Number(offsetMs) / 1_000;
  const digits = Math.abs(seconds) < 10 ? 1 : 0;
  const rounded = Number(seconds.toFixed(digits));
  return `${rounded < 0 ? '-' : '+'}${Math.abs(rounded).toFixed(digits)} s`;
}
