import { defineEntity, p } from '@mikro-orm/sql';
import type { AgentRole } from '#contract/agent/agent.ts';
import type { Row } from '#store/kernel/row.ts';

/** A mail, and the state of its delivery. */
export const MailEntity = defineEntity({
  name: 'Mail',
  tableName: 'mail',
  properties: {
    /** Its position in the order in which mail was accepted. */
    // As in the log of facts: SQLite increments only a column of the type integer.
    seq: p.bigint('bigint').primary().autoincrement().ignoreSchemaChanges('type'),
    id: p.string(),
    toAgentId: p.string(),
    /** Who sent it: `person`, or an agent's id. */
    sender: p.string(),
    senderName: p.string(),
    senderRole: p.string().$type<AgentRole>(),
    subject: p.text(),
    /** It may be long, so it is read only on request. */
    body: p.text().lazy(),
    opening: p.text(),
    openingCut: p.boolean(),
    kind: p.string(),
    inReplyTo: p.string().nullable(),
    /** The mail that caused it, and how many mails precede it in that chain. */
    setOffBy: p.string().nullable(),
    hops: p.integer(),
    idempotencyKey: p.string().nullable(),
    /** The call that took it. */
    claimId: p.string().nullable(),
    // Times, in milliseconds since 1970.
    sentAt: p.bigint('number'),
    rungAt: p.bigint('number').nullable(),
    takenAt: p.bigint('number').nullable(),
  },
  indexes: [
    { name: 'mail_by_recipient', properties: ['toAgentId', 'seq'] },
    { name: 'mail_waiting', properties: ['toAgentId', 'seq'], where: 'taken_at is null' },
    { name: 'mail_by_claim', properties: ['toAgentId', 'claimId'] },
    { name: 'mail_by_sender', properties: ['sender', 'seq'] },
    { name: 'mail_by_cause', properties: ['setOffBy'] },
  ],
  uniques: [
    { name: 'mail_id', properties: ['id'] },
    { name: 'mail_idempotency', properties: ['sender', 'idempotencyKey'] },
  ],
});
/** A mail as stored; with its body if that was requested. */
export type StoredMail = Omit<Row<typeof MailEntity>, 'body'> & Partial<Pick<Row<typeof MailEntity>, 'body'>>;
