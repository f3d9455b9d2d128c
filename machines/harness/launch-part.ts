import type { HarnessFile } from '#contract/pane/harness-file.ts';
import type { Harness } from './definition.ts';

/** The longest launch part that is taken, in characters of its text: a person is to read it. */
export const maxLaunchText = 16_384;

/**
 * What a file says beside how screens are read, as one text: equal for equal launches, however the file is written.
 * Undefined if it says nothing of the kind; a harness that is not built in is all of it.
 */
export function launchTextOf(
  harness: string,
  { like, codingAgent, launch = {} }: HarnessFile,
  isBuiltIn: boolean,
): string | undefined {
  if (!isBuiltIn) return canonical({ harness, like, codingAgent, launch });
  return Object.keys(launch).length === 0 ? undefined : canonical({ harness, launch });
}

/** JSON with the keys of each object in order, and without those that are undefined. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  const ordered = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${ordered.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`;
}

/**
 * A harness of which nothing but the reading of its screens counts: the rest is as it is built in, or nothing is
 * launched.
 */
export function withoutLaunch(full: Harness, builtIn: Harness | undefined): Harness {
  const { name, command, screens, reports, recordedWith } = full;
  const reading = { screens, ...(recordedWith !== undefined && { recordedWith }) };
  if (builtIn !== undefined) return { ...builtIn, ...reading };
  const words = reports?.through === 'title' ? { reports } : {};
  return { name, command, start: [], resume: [], env: {}, ...reading, ...words, isUnconfirmed: true };
}
