import type { BellCauses } from './doorbell.ts';

/**
 * The line that is typed to ring an agent's doorbell. It contains no text of others. `prefix` is the
 * harness's own.
 */
export function ringLine({ DOORBELL_CAUSE_MAIL: mail = 0, ...others }: BellCauses, prefix = ''): string {
  const isMailOnly = mail > 0 && Object.keys(others).length === 0;
  if (isMailOnly)
    return `${prefix}muster: you have mail (${mail}). Call the muster tool take_mail, or run: muster mail take`;
  return `${prefix}muster: you have a notification. Call the muster tool claim_doorbells, or run: muster bell claim`;
}

/** The line of any doorbell that a text has, whatever blanks and line ends are in it; undefined if it has none. */
export function ringLineIn(text: string, prefix = ''): string | undefined {
  const whole = withoutBlanks(text);
  const [, count] = /muster:youhavemail\((\d{1,9})\)/.exec(whole) ?? [];
  const lines = [...(count === undefined ? [] : [{ DOORBELL_CAUSE_MAIL: Number(count) }]), {}];
  return lines.map((causes) => ringLine(causes, prefix)).find((line) => whole.includes(withoutBlanks(line)));
}

/** Whether two of these lines ask the agent for the same: only the number of mails may differ. */
export function asksTheSame(line: string, other: string): boolean {
  return line.replace(/\d+/, '') === other.replace(/\d+/, '');
}

const withoutBlanks = (text: string) => text.replace(/\s+/g, '');
