import { z } from 'zod';
import { measureOf, timeOf } from '#actors/registry/agent/agent-resource.ts';
import { amountText, ownerText, spentText } from '#contract/budget/budget-text.ts';
import { noticeKindOf, whyOfFact } from '#contract/fact/notice-of-fact.ts';
import type { NoticeKind, Notify } from '#contract/fact/notify.ts';
import { nearPercent } from '#machines/budget/budget.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredFact } from '#store/fact/fact-entity.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { NewNotice } from '#store/notify/notice-table.ts';

/** A notification about an agent, a host or a backup, as webhooks receive it. `text` is one sentence, for chat services. */
export interface Notice {
  readonly event:
    | 'waiting'
    | 'failed'
    | 'finished'
    | 'ended'
    | 'budget-near'
    | 'budget-spent'
    | 'account-limited'
    | 'host-lost'
    | 'host-back'
    | 'backup-failed'
    | 'test';
  readonly text: string;
  readonly at: string;
  /** The fact's position in the log. */
  readonly seq: string;
  /** The agent that it is about; empty if it is about a budget, a host or a backup. */
  readonly agent: Readonly<Record<string, string | undefined>>;
  /** The host that is lost or back, if it is about a host. */
  readonly host?: Readonly<Record<string, string | number>>;
  /** The budget that is used, if it is about one. `measure`: turns, work (in minutes) or launches. */
  readonly budget?: Readonly<Record<string, string | number>>;
}

const wordings: Readonly<Record<string, { event: Notice['event']; says: string }>> = {
  'agent.waits': { event: 'waiting', says: 'waits for you' },
  'agent.failed': { event: 'failed', says: 'failed' },
  'agent.run-failed': { event: 'failed', says: 'had a script that failed' },
  'agent.restore-refused': { event: 'failed', says: 'was not restored' },
  'agent.finished': { event: 'finished', says: 'has finished' },
  'agent.ended': { event: 'ended', says: 'has ended' },
};

/** The notification for a fact of an agent; undefined if there is none for its kind. */
export function noticeOf({ kind, at, seq, detail }: StoredFact, agent: StoredAgent): Notice | undefined {
  const how = wordings[kind];
  if (how === undefined) return undefined;
  const why = whyOfFact(detail);
  return {
    event: how.event,
    text: `${agent.name} ${how.says}${why && `: ${why}`}`,
    at: timeOf(at),
    seq: String(seq),
    agent: {
      id: agent.id,
      name: agent.name,
      state: agent.state,
      stateReason: agent.stateReason,
      waitingFor: agent.waitingFor === '' ? undefined : agent.waitingFor,
      workflowId: agent.workflowId,
      hostId: agent.host,
      cwd: agent.cwd,
      branch: agent.branch ?? undefined,
    },
  };
}

/**
 * The notification for a fact of a host; undefined if there is none for its kind. `agents` counts those placed on it.
 */
export function hostNoticeOf(fact: StoredFact, host: StoredHost, agents: number): Notice | undefined {
  const kind = noticeKindOf(fact);
  if (kind !== 'NOTICE_KIND_HOST_LOST' && kind !== 'NOTICE_KIND_HOST_BACK') return undefined;
  const isLost = kind === 'NOTICE_KIND_HOST_LOST';
  const seenAt = timeOf(host.seenAt);
  const many = agents === 1 ? 'its agent' : `its ${agents} agents`;
  const what = agents === 0 ? '' : `: the states of ${many} are that old`;
  const name = host.name;
  return {
    event: isLost ? 'host-lost' : 'host-back',
    text: isLost ? `host ${name} has been silent since ${seenAt}${what}` : `host ${name} is back`,
    at: timeOf(fact.at),
    seq: String(fact.seq),
    agent: {},
    host: { id: host.id, name, seenAt, agents },
  };
}

/** The notification for a budget of which four fifths or all are used. */
export function budgetNoticeOf({ kind, at, seq, subjectId, detail }: StoredFact): Notice {
  const { name = '', measure = 'turns', used = 0, limit = 0 } = detail as Partial<UsedBudget>;
  const isSpent = kind === 'budget.spent';
  const owner = { ownerId: subjectId, ownerName: name };
  const consequence = measure === 'launches' ? 'no more are launched' : 'its agents are held';
  // Time at work is in whole minutes, which may be none of a short limit.
  const share = `${Math.max(nearPercent, Math.floor((100 * used) / limit))} % of its ${amountText(measureOf(measure), limit)} a day`;
  return {
    event: isSpent ? 'budget-spent' : 'budget-near',
    text: isSpent
      ? `${spentText({ ...owner, measure: measureOf(measure), limit })}: ${consequence}`
      : `${ownerText(owner)} has used ${share}`,
    at: timeOf(at),
    seq: String(seq),
    agent: {},
    budget: { ...owner, measure, used, limit },
  };
}

/** The details of a fact about the use of a budget. Work is in minutes. */
interface UsedBudget {
  readonly name: string;
  readonly measure: 'turns' | 'work' | 'launches';
  readonly used: number;
  readonly limit: number;
}

/** The notification for a scheduled backup that failed. */
export function backupNoticeOf({ at, seq, detail }: StoredFact): Notice {
  const text = `the scheduled backup could not be made: ${whyOfFact(detail)}`;
  return { event: 'backup-failed', text, at: timeOf(at), seq: String(seq), agent: {} };
}

/** The details of the fact of a limited account. */
const AccountDetail = z.object({
  account: z.string(),
  limit: z.enum(['usage', 'credential']),
  until: z.number().optional(),
  parked: z.number(),
  workflows: z.array(z.string()),
});

/** The workflows whose agents are parked with an account. */
export function workflowsOf({ detail }: StoredFact): readonly string[] {
  return AccountDetail.parse(detail).workflows;
}

/** The notification for an account that is limited: one for all of its agents. */
export function accountNoticeOf({ at, seq, detail }: StoredFact): Notice {
  const { account, limit, until, parked } = AccountDetail.parse(detail);
  const what = limit === 'usage' ? 'has reached its usage limit' : 'is signed out: sign in again';
  const end = until === undefined ? '' : ` until ${timeOf(until)}`;
  const agents = parked === 1 ? '1 agent is' : `${parked} agents are`;
  const text = `the account ${account} ${what}; ${agents} parked${end}`;
  return { event: 'account-limited', text, at: timeOf(at), seq: String(seq), agent: {} };
}

/** The deliveries of a notice to those who want its kind, one for each address and command. */
export function toDeliveries(
  notice: Notice,
  kind: NoticeKind | undefined,
  subjectId: string,
  wanting: readonly Notify[],
): NewNotice[] {
  const body = JSON.stringify(notice);
  const targets = new Map<string, NewNotice>();
  for (const { webhook, command } of wanting.filter((one) => wants(one, kind))) {
    if (webhook) targets.set(`webhook ${webhook}`, { agent: subjectId, through: 'webhook', target: webhook, body });
    if (command) targets.set(`command ${command}`, { agent: subjectId, through: 'command', target: command, body });
  }
  return [...targets.values()];
}

function wants({ on = [] }: Notify, kind: NoticeKind | undefined): boolean {
  return kind !== undefined && (on.length === 0 || on.includes(kind));
}
