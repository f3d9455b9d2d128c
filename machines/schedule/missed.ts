/** The policy for occurrences that passed while muster could not fire them. */
export type MissedPolicy = 'run-once' | 'run-all' | 'skip';

/**
 * The occurrences of a schedule that have come due together, and how to treat them. Times are milliseconds since 1970.
 */
interface DueOccurrences {
  /** The earliest first, truncated if there are too many. */
  readonly occurrences: readonly number[];
  /** The last of all occurrences. */
  readonly latest: number;
  readonly now: number;
}

interface Policy {
  readonly missed: MissedPolicy;
  /** How old a missed occurrence may be and still run, in milliseconds. */
  readonly catchUp: number;
}

/** The decision about an occurrence. */
export interface OccurrenceDecision {
  readonly at: number;
  /** Why it does not run; empty if it does. */
  readonly reason: string;
}

/** How late an occurrence may be without counting as missed, in milliseconds. */
export const punctual = 60_000;

/** Decides which of the occurrences that are due run, and why the others do not. */
export function decideMissed(
  { occurrences, latest, now }: DueOccurrences,
  { missed, catchUp }: Policy,
): OccurrenceDecision[] {
  return occurrences.map((at) => {
    const late = now - at;
    if (late <= punctual) return { at, reason: missed === 'run-all' || at === latest ? '' : superseded };
    if (missed === 'skip') return { at, reason: `missed: ${seconds(late)} late, and this schedule skips missed times` };
    if (late > catchUp) {
      return {
        at,
        reason: `missed: ${seconds(late)} late, which is more than its catch-up limit of ${seconds(catchUp)}`,
      };
    }
    return { at, reason: missed === 'run-all' || at === latest ? '' : superseded };
  });
}

const superseded = 'missed: a later one runs in its place';

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
