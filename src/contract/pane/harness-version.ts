/** A CLI's version: numbers between dots, and what may follow them; at most 64 characters. */
export const harnessVersionPattern = /^\d{1,10}(?:\.\d{1,10}){1,3}(?:[-+][0-9A-Za-z.+-]{1,40})?$/;

/** How much of what a CLI prints may hold its version, in characters. */
const maxOutput = 4_096;

/** The first version in what a CLI prints when it is asked for one, such as `2.1.329` of `2.1.329 (Claude Code)`. */
export function versionIn(output: string): string | undefined {
  const words = output.slice(0, maxOutput).split(/[^0-9A-Za-z.+-]+/);
  return words.map((word) => word.replace(/^v(?=\d)|\.+$/g, '')).find((word) => harnessVersionPattern.test(word));
}

/**
 * Whether a CLI is newer than the version that rules were recorded with, number by number; what follows the numbers, as
 * of a preview, counts for nothing. Where either is not known it is not newer.
 */
export function isNewer(version: string | undefined, recordedWith: string | undefined): boolean {
  if (!version || !recordedWith) return false;
  const [have, known] = [numbersOf(version), numbersOf(recordedWith)];
  const places = Math.max(have.length, known.length);
  for (let at = 0; at < places; at += 1) {
    const difference = (have[at] ?? 0) - (known[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** For people: that a CLI is newer than the rules which read its screen; empty if it is not, or that is not known. */
export function newerText(version: string | undefined, recordedWith: string | undefined): string {
  return isNewer(version, recordedWith) ? `rules recorded with ${recordedWith}, this is ${version}` : '';
}

function numbersOf(version: string): number[] {
  const [numbers = ''] = version.split(/[-+]/);
  return numbers.split('.').map(Number);
}
