import { raiseBell } from '#actors/registry/doorbell/doorbells.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { AgentRole } from '#contract/agent/agent.ts';
import { openingOf } from '#contract/page.ts';
import { bellViewOf } from '#machines/doorbell/doorbell.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { NewMail } from '#store/mail/mail-table.ts';
import type { SentMail } from './mail-resource.ts';
import type { Chain } from './mail-rules.ts';

/** A mail that may be sent. */
interface Draft extends Chain {
  /** The sender: `person`, `muster`, or an agent's id, with the name and role to show. */
  readonly from: { readonly id: string; readonly name: string; readonly role: AgentRole };
  readonly subject: string;
  readonly body: string;
  readonly kind: string;
  readonly inReplyTo: string | null;
  readonly idempotencyKey: string | null;
}

/** Stores a mail and raises its recipient's doorbell. Returns the mail. */
export async function deliverMail(writing: Change, to: StoredAgent, { from, ...draft }: Draft): Promise<SentMail> {
  const { tables, ids, now } = writing;
  const id = ids.id('mal');
  const mail: NewMail = {
    ...draft,
    id,
    toAgentId: to.id,
    sender: from.id,
    senderName: from.name,
    senderRole: from.role,
    ...openingOf(draft.body),
    sentAt: now,
  };
  await tables.mail.insert(mail);
  const detail = { mailId: id, from: from.id, hops: draft.hops };
  await tables.facts.append([{ kind: 'mail.sent', subjectId: to.id, detail }]);
  const called = { unreadMail: to.unreadMail + 1, known: to };
  const bell = await raiseBell(writing, to.id, { cause: 'DOORBELL_CAUSE_MAIL', count: 1 }, called);
  const hasRung = bellViewOf(bell.snapshot).state === 'DOORBELL_STATE_RUNG';
  return { ...mail, rungAt: hasRung ? now : null, claimId: null, takenAt: null };
}
