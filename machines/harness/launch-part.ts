import type { HarnessFile } from '#contract/pane/harness-file.ts';
import type { Harness } from './definition.ts';

/** Maximum length of a launch part, in characters. A person has to read it. */
export const maxLaunchText = 16_384;

/**
 * What a file defines apart from rules for screens, as a canonical text: equal for equal launches. Undefined if it
 * defines nothing else. For a harness that is not built in, it contains everything else.
 */
export function launchTextOf(
  harness: string,
  { like, codingAgent, launch = {} }: HarnessFile,
  isBuiltIn: boolean,
): string | undefined {
  if (!isBuiltIn) return canonical({ harness, like, codingAgent, launch });
  return Object.keys(launch).length === 0 ? undefined : canonical({ harness, launch });
}

/** JSON with the keys of each object sorted, without undefined values. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  const ordered = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${ordered.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`;
}

/**
 * A harness with only its rules for screens. The rest is as built in; if there is no built-in one, it cannot be
 * launched.
 */
export function withoutLaunch(full: Harness, builtIn: Harness | undefined): Harness {
  const { name, command, screens, reports, recordedWith } = full;
  const reading = { screens, ...(recordedWith !== undefined && { recordedWith }) };
  if (builtIn !== undefined) return { ...builtIn, ...reading };
  const words = reports?.through === 'title' ? { reports } : {};
  return { name, command, start: [], resume: [], env: {}, ...reading, ...words, isUnconfirmed: true };
}
