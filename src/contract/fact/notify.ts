import { z } from 'zod';
import { enumeration, message, text } from '#contract/message.ts';

/** The events that a person may be notified of. */
export const NoticeKind = enumeration('shared.v1.NoticeKind', {
  NOTICE_KIND_UNSPECIFIED: 'Not given; never stored.',
  NOTICE_KIND_WAITING: 'An agent started to wait for a person.',
  NOTICE_KIND_FAILED:
    'An agent’s launch or clean-up failed, or a script that ran for it, or it was refused in its turn to be restored.',
  NOTICE_KIND_FINISHED: 'An agent finished a turn: it came to rest after work.',
  NOTICE_KIND_HOST_LOST: 'A host no longer answers.',
  NOTICE_KIND_HOST_BACK: 'A lost host answers again.',
  NOTICE_KIND_BACKUP_FAILED: 'A scheduled backup could not be made.',
  NOTICE_KIND_ENDED: 'An agent’s CLI ended, alone or with its terminal.',
  NOTICE_KIND_BUDGET: 'Four fifths of a budget are used, or all of it.',
  NOTICE_KIND_ACCOUNT_LIMITED:
    'An account reached its usage limit, or its credential is not accepted: its agents are parked.',
});
export type NoticeKind = z.infer<typeof NoticeKind>;

/**
 * Whom to notify, and of what. If both addresses are empty, nobody is. A workflow's setting covers only its agents.
 */
export const Notify = message('shared.v1.Notify', {
  webhook: [1, text(2_048), 'HTTP or HTTPS address that gets a JSON object by POST. Empty: none.'],
  command: [
    2,
    text(10_000),
    'Shell command that runs on the registry’s computer, with the event in its environment. Empty: none.',
  ],
  on: [
    3,
    z.array(NoticeKind),
    'Which events to notify of. Empty: all. A workflow’s setting gets none about hosts and backups.',
  ],
});
export type Notify = z.infer<typeof Notify>;
