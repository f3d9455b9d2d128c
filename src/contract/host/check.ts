import { z } from 'zod';
import { enumeration, message } from '#contract/message.ts';

/** The result of one check. `fail`: muster cannot work; `warn`: a part of muster cannot. */
export const Check = z.object({
  name: z.string(),
  outcome: z.enum(['ok', 'warn', 'fail']),
  /** What the check found. */
  found: z.string(),
  /** What to do about it; empty if nothing is wrong. */
  mend: z.string(),
});
export type Check = z.infer<typeof Check>;

/** The outcome of one check on the wire. */
export const CheckOutcome = enumeration('host.v1.CheckOutcome', {
  CHECK_OUTCOME_UNSPECIFIED: 'No outcome; never sent.',
  CHECK_OUTCOME_OK: 'Nothing is wrong.',
  CHECK_OUTCOME_WARNING: 'A part of muster does not work.',
  CHECK_OUTCOME_FAILURE: 'muster cannot work.',
});
type CheckOutcome = z.infer<typeof CheckOutcome>;

const WireCheck = message('host.v1.Check', {
  name: [1, z.string(), 'What was checked, such as `git` or `free space`.'],
  outcome: [2, CheckOutcome, 'Whether something is wrong.'],
  found: [3, z.string(), 'What the check found, in words.'],
  mend: [4, z.string(), 'What to do about it. Unset if nothing is wrong.'],
});

/** The checks of one part of muster. */
export const CheckedPart = message('host.v1.CheckedPart', {
  name: [1, z.string(), '`registry`, or the name of a host.'],
  hostId: [2, z.string(), 'The host that was checked. Unset for the registry.'],
  checks: [3, z.array(WireCheck), 'What was checked there, each with its outcome.'],
});
export type CheckedPart = z.infer<typeof CheckedPart>;

const wireOutcomes: Readonly<Record<Check['outcome'], CheckOutcome>> = {
  ok: 'CHECK_OUTCOME_OK',
  warn: 'CHECK_OUTCOME_WARNING',
  fail: 'CHECK_OUTCOME_FAILURE',
};

/** The check on the wire. */
export function toCheck({ outcome, ...rest }: Check): z.infer<typeof WireCheck> {
  return { ...rest, outcome: wireOutcomes[outcome] };
}

/** Reads a check off the wire. An unknown outcome counts as a warning. */
export function fromWireCheck({ name = '', outcome, found = '', mend = '' }: z.infer<typeof WireCheck>): Check {
  const known = outcome === wireOutcomes.ok ? 'ok' : outcome === wireOutcomes.fail ? 'fail' : 'warn';
  return { name, outcome: known, found, mend };
}

/** A check that found nothing wrong. */
export function well(name: string, found: string): Check {
  return { name, outcome: 'ok', found, mend: '' };
}
