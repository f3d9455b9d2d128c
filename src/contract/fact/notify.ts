import { z } from 'zod';
import { enumeration, message, text } from '#contract/message.ts';

/**
 * What a person may want to be notified of: an agent begins to wait for them, fails, or comes to the end of its turn or
 * its CLI; a host is lost, or is back.
 */
export const NoticeKind = enumeration('shared.v1.NoticeKind', {
  NOTICE_KIND_UNSPECIFIED: 'Not given; never stored.',
  NOTICE_KIND_WAITING: 'An agent begins to wait for a person.',
  NOTICE_KIND_FAILED: 'An agent’s launch or clean-up failed, or a script that ran for it.',
  NOTICE_KIND_FINISHED: 'An agent finished its turn, or its CLI ended.',
  NOTICE_KIND_HOST_LOST: 'A host no longer answers.',
  NOTICE_KIND_HOST_BACK: 'A lost host answers again.',
});
export type NoticeKind = z.infer<typeof NoticeKind>;

/**
 * Who is notified of what. Empty fields notify nobody; an empty `on` means everything. A workflow's is for agents only.
 */
export const Notify = message('shared.v1.Notify', {
  webhook: [1, text(2_048), 'HTTP or HTTPS address that a JSON object is posted to. Empty: none.'],
  command: [
    2,
    text(10_000),
    'Shell command that runs on the registry’s machine, with the event in its environment. Empty: none.',
  ],
  on: [3, z.array(NoticeKind), 'Which events to notify of. Empty: all. Those of hosts never reach a workflow’s own.'],
});
export type Notify = z.infer<typeof Notify>;
