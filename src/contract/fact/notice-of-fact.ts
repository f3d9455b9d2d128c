import type { NoticeKind } from './notify.ts';

/** What is told of, by the facts that tell it. */
export const noticeOfFact: Readonly<Record<string, Exclude<NoticeKind, 'NOTICE_KIND_UNSPECIFIED'>>> = {
  'agent.waits': 'NOTICE_KIND_WAITING',
  'agent.failed': 'NOTICE_KIND_FAILED',
  'agent.run-failed': 'NOTICE_KIND_FAILED',
  'agent.finished': 'NOTICE_KIND_FINISHED',
  'host.lost': 'NOTICE_KIND_HOST_LOST',
  'host.seen': 'NOTICE_KIND_HOST_BACK',
};

/** What a fact is told of as; undefined where nobody is told. A host that comes for the first time is nobody's news. */
export function noticeKindOf({
  kind,
  detail,
}: {
  readonly kind: string;
  readonly detail: unknown;
}): NoticeKind | undefined {
  const isNews = kind !== 'host.seen' || (detail as { readonly wasLost?: unknown }).wasLost === true;
  return isNews && Object.hasOwn(noticeOfFact, kind) ? noticeOfFact[kind] : undefined;
}

/** Why a person is told, on one line: what the agent asks, or else the reason's first line; empty where the fact tells neither. */
export function whyOfFact(detail: unknown): string {
  const { reason, waitingFor } = detail as { readonly reason?: unknown; readonly waitingFor?: unknown };
  const told = [waitingFor, reason].find((text) => typeof text === 'string' && text !== '');
  return typeof told === 'string' ? (told.split('\n')[0] ?? '') : '';
}
