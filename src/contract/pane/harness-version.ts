/** A CLI's version: numbers separated by dots, and an optional suffix such as `-beta.1`. */
export const harnessVersionPattern = /^\d{1,10}(?:\.\d{1,10}){1,3}(?:[-+][0-9A-Za-z.+-]{1,40})?$/;

/** How much of a CLI's output is searched for its version, in characters. */
const maxOutput = 4_096;

/** The first version in a CLI's output, such as `2.1.329` in `2.1.329 (Claude Code)`. */
export function versionIn(output: string): string | undefined {
  const words = output.slice(0, maxOutput).split(/[^0-9A-Za-z.+-]+/);
  return words.map((word) => word.replace(/^v(?=\d)|\.+$/g, '')).find((word) => harnessVersionPattern.test(word));
}

/**
 * Whether a CLI is newer than the version that rules were recorded with, number by number. Suffixes, as of previews,
 * are ignored. False if either is unknown.
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

/** Says that a CLI is newer than the rules that read its screen; empty if it is not, or if that is unknown. */
export function newerText(version: string | undefined, recordedWith: string | undefined): string {
  return isNewer(version, recordedWith) ? `rules recorded with ${recordedWith}, this is ${version}` : '';
}

function numbersOf(version: string): number[] {
  const [numbers = ''] = version.split(/[-+]/);
  return numbers.split('.').map(Number);
}
