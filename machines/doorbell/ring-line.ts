import type { BellCauses } from './doorbell.ts';

/**
 * The line that is typed to ring an agent's doorbell. It contains nothing that somebody else wrote. `prefix` is the
 * harness's own.
 */
export function ringLine({ DOORBELL_CAUSE_MAIL: mail = 0, ...others }: BellCauses, prefix = ''): string {
  const isMailOnly = mail > 0 && Object.keys(others).length === 0;
  if (isMailOnly)
    return `${prefix}muster: you have mail (${mail}). Call the muster tool take_mail, or run: muster mail take`;
  return `${prefix}muster: you have a notification. Call the muster tool claim_doorbells, or run: muster bell claim`;
}
