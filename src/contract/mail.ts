import { z } from 'zod';
import { AgentRole } from '#contract/agent/agent.ts';
import { enumeration, message } from './message.ts';

/** The state of a mail: stored, its recipient notified, or handed over. */
export const MailState = enumeration('agent.v1.MailState', {
  MAIL_STATE_UNSPECIFIED: 'No state; never sent.',
  MAIL_STATE_ACCEPTED: 'It is stored, and will not be lost.',
  MAIL_STATE_RUNG: 'Its recipient’s doorbell rang for it.',
  MAIL_STATE_TAKEN: 'Its recipient has taken it.',
});
export type MailState = z.infer<typeof MailState>;

/** Which mail to list: what the agent received, or what it sent. */
export const MailBox = enumeration('agent.v1.MailBox', {
  MAIL_BOX_UNSPECIFIED: 'Not given: as MAIL_BOX_INBOX.',
  MAIL_BOX_INBOX: 'Mail to the agent.',
  MAIL_BOX_SENT: 'Mail from the agent.',
});
export type MailBox = z.infer<typeof MailBox>;

/** One mail and what happened to it. Timestamps are RFC 3339 in UTC. */
export const Mail = message('agent.v1.Mail', {
  id: [1, z.string(), 'The id of the mail, as `inReplyTo` takes it: `mal_` and a ULID.'],
  toAgentId: [2, z.string(), 'The recipient.'],
  toName: [3, z.string(), 'The recipient’s name.'],
  fromAgentId: [4, z.string(), 'The agent that sent it. Unset for a person.'],
  fromName: [5, z.string(), 'The sender’s name when it was sent.'],
  fromRole: [6, AgentRole, 'The sender’s role when it was sent.'],
  subject: [7, z.string(), 'What it is about, on one line. May be empty.'],
  body: [8, z.string(), 'The text, or only its opening when `bodyTruncated` is true.'],
  bodyTruncated: [9, z.boolean(), 'Whether `body` holds only its first 200 characters.'],
  kind: [10, z.string(), 'The sender’s own word for the sort of mail: `a-z 0-9 -`, at most 40 characters.'],
  inReplyTo: [11, z.string(), 'The mail that it answers. Unset if it answers none.'],
  hops: [12, z.int32(), 'The length of the chain of mails before it, in which each caused the next.'],
  state: [13, MailState, 'Whether it is stored, announced or taken.'],
  sentAt: [14, z.string(), 'When it was accepted: RFC 3339, UTC.'],
  rungAt: [15, z.string(), 'When its recipient’s doorbell rang for it: RFC 3339, UTC. Unset until then.'],
  takenAt: [16, z.string(), 'When its recipient took it: RFC 3339, UTC. Unset until then.'],
  idempotencyKey: [17, z.string(), 'The key of the call that sent it. A repeat of that call returns this mail.'],
  setOffBy: [18, z.string(), 'The mail that its sender had taken last, which counts as its cause. Unset if none.'],
});
export type Mail = z.infer<typeof Mail>;
