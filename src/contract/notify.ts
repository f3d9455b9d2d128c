import { z } from 'zod';
import { enumeration, message, text } from './message.ts';

/**
 * What a person may want to be told of: an agent begins to wait for them, fails, or comes to the end of its turn or its CLI; a host
 * is lost, or is back.
 */
export const NoticeKind = enumeration('shared.v1.NoticeKind', [
  'NOTICE_KIND_UNSPECIFIED',
  'NOTICE_KIND_WAITING',
  'NOTICE_KIND_FAILED',
  'NOTICE_KIND_FINISHED',
  'NOTICE_KIND_HOST_LOST',
  'NOTICE_KIND_HOST_BACK',
]);
export type NoticeKind = z.infer<typeof NoticeKind>;

/** Whom to tell of what. Empty fields tell nobody; `on` empty means everything. A workflow's is told of agents alone. */
export const Notify = message('shared.v1.Notify', {
  /** An http or https address that a JSON object is posted to. */
  webhook: [1, text(2_048)],
  /** A shell command that is run where the registry runs, with what happened in its environment. */
  command: [2, text(10_000)],
  on: [3, z.array(NoticeKind)],
});
export type Notify = z.infer<typeof Notify>;
