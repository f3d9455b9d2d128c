import type { NoticeKind } from './notify.ts';
import { reasonLine } from './reason-line.ts';

/** How long a question is kept from people, so that a rule can answer it, in milliseconds. */
export const ruleMs = 4_000;

/** The kinds of notices by the kinds of facts that cause them. */
export const noticeOfFact: Readonly<Record<string, Exclude<NoticeKind, 'NOTICE_KIND_UNSPECIFIED'>>> = {
  'agent.waits': 'NOTICE_KIND_WAITING',
  'agent.failed': 'NOTICE_KIND_FAILED',
  'agent.run-failed': 'NOTICE_KIND_FAILED',
  'agent.restore-refused': 'NOTICE_KIND_FAILED',
  'agent.finished': 'NOTICE_KIND_FINISHED',
  'agent.ended': 'NOTICE_KIND_ENDED',
  'budget.near': 'NOTICE_KIND_BUDGET',
  'budget.spent': 'NOTICE_KIND_BUDGET',
  'account.limited': 'NOTICE_KIND_ACCOUNT_LIMITED',
  'host.lost': 'NOTICE_KIND_HOST_LOST',
  'host.seen': 'NOTICE_KIND_HOST_BACK',
  'installation.backup-failed': 'NOTICE_KIND_BACKUP_FAILED',
};

/** The notice kind of a fact; undefined if it causes no notice, as when a host comes online for the first time. */
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

/** Whether the fact of a question says that a rule may answer it: then people are notified once none has. */
export function mayRuleAnswer(detail: unknown): boolean {
  return (detail as { readonly ruleMayAnswer?: unknown }).ruleMayAnswer === true;
}

/** Why a person is notified, in one line: the agent's question, or else the reason; empty if there is neither. */
export function whyOfFact(detail: unknown): string {
  const { reason, waitingFor, line } = detail as Readonly<Record<string, unknown>>;
  if (typeof waitingFor === 'string' && waitingFor !== '') return waitingFor.split('\n')[0] ?? '';
  return reasonLine(reason, line);
}
