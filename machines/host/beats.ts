/** How often a host beats in a small installation, and how many beats a second an installation has at most. */
const minEveryMs = 5_000;
const maxBeatsPerSecond = 50;
/** How long a host may be silent in a small installation, in milliseconds. */
export const minSilenceMs = 30_000;
/** The default silence after which a host counts as lost, in milliseconds. A person may set another one for a host. */
export const defaultPatienceMs = 300_000;
/** How many beats a host may miss in a large one. */
const maxMissed = 3;

/**
 * The grace period after a start of the registry before silence counts, in milliseconds: all hosts return at
 * once.
 */
export const graceMs = 60_000;

/** The interval between beats of each of `hosts` hosts, in milliseconds. */
export function beatEvery(hosts: number): number {
  return Math.max(minEveryMs, (hosts / maxBeatsPerSecond) * 1_000);
}

/** How long each of `hosts` hosts may send no beat before it counts as silent, in milliseconds. */
export function maxSilence(hosts: number): number {
  return Math.max(minSilenceMs, maxMissed * beatEvery(hosts));
}
