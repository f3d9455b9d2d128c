import { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import { hostProtocol } from './host-condition.ts';

/** Versions of the messages on the bus, from the oldest to the newest that a process speaks. */
export const ProtocolRange = z.object({ min: z.int().nonnegative(), max: z.int().nonnegative() });
export type ProtocolRange = z.infer<typeof ProtocolRange>;

/** What this muster speaks. `min` rises only when the previous minor version no longer speaks what is left away. */
export const ownProtocols: ProtocolRange = { min: 1, max: hostProtocol };

/** What a process speaks that does not say. */
const unsaid: ProtocolRange = { min: 1, max: 1 };

/** A range in a header, such as `1-2`. */
export function rangeText({ min, max }: ProtocolRange): string {
  return `${min}-${max}`;
}

/** Reads such a range; undefined if it is none. */
export function readRange(text: string): ProtocolRange | undefined {
  const [, min, max] = /^(\d{1,6})-(\d{1,6})$/.exec(text) ?? [];
  return min === undefined || max === undefined ? undefined : { min: Number(min), max: Number(max) };
}

/** The failure for a process that no version of the messages connects with this registry; undefined if one does. */
export function notUnderstood(
  who: 'host' | 'gateway',
  theirs: ProtocolRange = unsaid,
  own: ProtocolRange = ownProtocols,
): Failure | undefined {
  if (theirs.min <= own.max && theirs.max >= own.min) return undefined;
  const mend =
    theirs.max < own.min
      ? `Update muster where this ${who} runs, and start it again.`
      : `Update muster where the registry runs, or run the registry's version where this ${who} runs.`;
  return new Failure(
    'PROTOCOL_UNSUPPORTED',
    `This ${who} speaks ${inWords(theirs)} of the bus's messages, and the registry speaks ${inWords(own)}. ${mend} ` +
      'The windows of agents stay meanwhile.',
  );
}

function inWords({ min, max }: ProtocolRange): string {
  return min === max ? `version ${min}` : `versions ${min} to ${max}`;
}
