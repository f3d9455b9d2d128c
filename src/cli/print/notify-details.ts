import type { Notify } from '#contract/fact/notify.ts';
import { shortName } from './words.ts';

/** The notifications of a person or a workflow, as named values. */
export function notifyDetails({ webhook, command, on = [] }: Notify = {}): Record<string, string | undefined> {
  const what =
    on.length > 0 ? on.map(shortName).join(', ') : 'waiting, failed, finished, host lost, host back, backup failed';
  return { 'notify webhook': webhook, 'notify command': command, 'notified of': webhook || command ? what : undefined };
}
