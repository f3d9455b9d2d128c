import type { NoticeKind } from './notify.ts';

/** What is told of, by the facts that tell it. */
export const noticeOfFact: Readonly<Record<string, Exclude<NoticeKind, 'NOTICE_KIND_UNSPECIFIED'>>> = {
  'agent.waits': 'NOTICE_KIND_WAITING',
  'agent.failed': 'NOTICE_KIND_FAILED',
  'agent.run-failed': 'NOTICE_KIND_FAILED',
  'agent.finished': 'NOTICE_KIND_FINISHED',
};
