import { raiseBell } from '#actors/registry/doorbell/doorbells.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { AgentRole } from '#contract/agent/agent.ts';
import { openingOf } from '#contract/page.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
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

/** Stores a mail and raises its recipient's doorbell. Returns the mail's id. */
export async function deliverMail(writing: Change, to: StoredAgent, { from, ...draft }: Draft): Promise<string> {
  const { tables, ids, now } = writing;
  const id = ids.id('mal');
  await tables.mail.insert({
    ...draft,
    id,
    toAgentId: to.id,
    sender: from.id,
    senderName: from.name,
    senderRole: from.role,
    ...openingOf(draft.body),
    sentAt: now,
  });
  const detail = { mailId: id, from: from.id, hops: draft.hops };
  await tables.facts.append([{ kind: 'mail.sent', subjectId: to.id, detail }]);
  const called = { unreadMail: to.unreadMail + 1, known: to };
  await raiseBell(writing, to.id, { cause: 'DOORBELL_CAUSE_MAIL', count: 1 }, called);
  return id;
}
