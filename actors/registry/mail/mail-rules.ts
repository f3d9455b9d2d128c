import { hasEnded } from '#actors/registry/agent/agent-standing.ts';
import { whyWindowless } from '#actors/registry/agent/agent-window.ts';
import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { isOrder, mailRefusal } from '#machines/agent/mailing.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredMail } from '#store/mail/mail-entity.ts';
import type { Tables } from '#store/tables.ts';
import type { MailLimits } from './mail-scope.ts';

/** A mail counts as the cause of mails that its recipient sends within this many milliseconds after taking it. */
const chainMs = 10 * 60_000;
const minute = 60_000;
/** How many mails one mail may cause. */
const fanOut = 16;
/** How many mails may wait for one agent. */
const maxWaiting = 1_000;

/** Whether an agent's mailbox is full. */
export function isMailFull({ unreadMail }: Pick<StoredAgent, 'unreadMail'>): boolean {
  return unreadMail >= maxWaiting;
}

/** The sender of a mail: an agent's row, or the person. */
export type Sender = StoredAgent | 'person';

/**
 * Checks that a caller may mail an agent. A person may mail any agent.
 * @throws PERMISSION_DENIED when an agent may not mail this one; FAILED_PRECONDITION when the recipient is archived or
 *   being deleted
 */
export function checkMayMail(caller: Caller, agent: StoredAgent): void {
  const refusal =
    caller.kind === 'agent'
      ? mailRefusal({ id: caller.agentId, parentAgentId: caller.parentAgentId }, agent)
      : undefined;
  if (refusal !== undefined && caller.kind === 'agent') {
    const why = {
      'not kin': `neither your parent (${caller.parentAgentId}) nor a child of it: a child may mail only those`,
      'child of another': `a child of ${agent.parentAgentId}: mail that one instead`,
    }[refusal];
    throw new Failure('MAIL_NOT_ALLOWED', `Agent ${describeAgent(agent)} is ${why}`);
  }
  if (hasEnded(agent)) {
    throw new Failure('MAILBOX_CLOSED', `Agent ${describeAgent(agent)} accepts no mail: it ${whyWindowless(agent)}`);
  }
}

/**
 * The mail that a mail replies to.
 * @throws NOT_FOUND when its sender has neither sent nor received it
 */
export async function answeredMail({ mail }: Tables, id: string, sender: Sender): Promise<StoredMail> {
  const answered = await mail.find(id);
  const own = sender === 'person' ? sender : sender.id;
  if (answered !== undefined && (sender === 'person' || answered.sender === own || answered.toAgentId === own)) {
    return answered;
  }
  throw new Failure(
    'MAIL_NOT_FOUND',
    `inReplyTo is ${quoted(id)}, and you have no such mail: list_mail shows what you have`,
    { field: 'inReplyTo' },
  );
}

/** A mail's place in a chain of mails: the mail that caused it, if any, and how many came before it. */
export interface Chain {
  readonly setOffBy: string | null;
  readonly hops: number;
}

/**
 * A mail's place in its chain. The limits keep agents from mailing each other without end. Mail from a person begins a
 * new chain, and so does an order to an agent that its sender launched or directs.
 * @throws RESOURCE_EXHAUSTED when the mail exceeds a limit
 */
export async function checkedChain(
  tables: Tables,
  limits: MailLimits,
  now: number,
  {
    sender,
    to,
    answered,
  }: { readonly sender: Sender; readonly to: StoredAgent; readonly answered: StoredMail | undefined },
): Promise<Chain> {
  if (isMailFull(to)) {
    throw refused(
      `agent ${describeAgent(to)} has ${to.unreadMail} mails that it has not taken`,
      'wait until it has, or ask the person',
    );
  }
  if (sender === 'person') return { setOffBy: null, hops: 0 };
  if ((await tables.mail.countSince(sender.id, now - minute)) >= limits.perMinute) {
    throw refused(`you have sent ${limits.perMinute} mails within a minute`, 'send fewer, and wait a minute');
  }
  const cause = isOrder(sender, to) ? undefined : await causeOf(tables, now, sender, answered);
  if (cause === undefined) return { setOffBy: null, hops: 0 };
  if (cause.hops >= limits.hops) {
    throw refused(
      `this would be number ${cause.hops + 1} in a chain of mails that each caused the next (the last is ${cause.id})`,
      'stop answering, and notify the person if something is still open',
    );
  }
  if ((await tables.mail.countSetOffBy(cause.id)) >= fanOut) {
    throw refused(`mail ${cause.id} has caused ${fanOut} mails already`, 'pass nothing on to more agents');
  }
  return { setOffBy: cause.id, hops: cause.hops + 1 };
}

/**
 * The mail that caused a mail: the one that it replies to, or else the last one that its sender took; only if recent.
 */
async function causeOf(
  { mail }: Tables,
  now: number,
  { id }: StoredAgent,
  answered: StoredMail | undefined,
): Promise<StoredMail | undefined> {
  const cause = answered?.toAgentId === id ? answered : await mail.lastTaken(id);
  return cause !== undefined && now - (cause.takenAt ?? cause.sentAt) < chainMs ? cause : undefined;
}

function refused(why: string, what: string): Failure {
  return new Failure('MAIL_LIMIT_REACHED', `The mail was not sent: ${why}. Do not try again at once: ${what}`);
}
