import { z } from 'zod';
import { enumeration, message } from './message.ts';

/** What one look came to. `fail`: muster cannot work so; `warn`: something it offers cannot. */
export const Check = z.object({
  name: z.string(),
  outcome: z.enum(['ok', 'warn', 'fail']),
  /** What was found. */
  found: z.string(),
  /** What to do about it; empty where all is well. */
  mend: z.string(),
});
export type Check = z.infer<typeof Check>;

/** What one look came to, as services tell it. */
export const CheckOutcome = enumeration('host.v1.CheckOutcome', [
  'CHECK_OUTCOME_UNSPECIFIED',
  'CHECK_OUTCOME_OK',
  'CHECK_OUTCOME_WARNING',
  'CHECK_OUTCOME_FAILURE',
]);
type CheckOutcome = z.infer<typeof CheckOutcome>;

const ToldCheck = message('host.v1.Check', {
  /** What was looked at, such as `git` or `free space`. */
  name: [1, z.string()],
  /** A failure: muster cannot work so. A warning: something it offers cannot. */
  outcome: [2, CheckOutcome],
  /** What was found. */
  found: [3, z.string()],
  /** What to do about it; unset where all is well. */
  mend: [4, z.string()],
});

/** What was found of one part of muster. */
export const CheckedPart = message('host.v1.CheckedPart', {
  /** `registry`, or the name of a host. */
  name: [1, z.string()],
  /** Unset for the registry. */
  hostId: [2, z.string()],
  checks: [3, z.array(ToldCheck)],
});
export type CheckedPart = z.infer<typeof CheckedPart>;

const told: Readonly<Record<Check['outcome'], CheckOutcome>> = {
  ok: 'CHECK_OUTCOME_OK',
  warn: 'CHECK_OUTCOME_WARNING',
  fail: 'CHECK_OUTCOME_FAILURE',
};

/** A check as services tell it. */
export function toldCheck({ outcome, ...rest }: Check): z.infer<typeof ToldCheck> {
  return { ...rest, outcome: told[outcome] };
}

/** A check that a service told. One whose outcome is not known here counts as a warning. */
export function heardCheck({ name = '', outcome, found = '', mend = '' }: z.infer<typeof ToldCheck>): Check {
  const heard = outcome === told.ok ? 'ok' : outcome === told.fail ? 'fail' : 'warn';
  return { name, outcome: heard, found, mend };
}

/** A check of something that is well. */
export function well(name: string, found: string): Check {
  return { name, outcome: 'ok', found, mend: '' };
}
