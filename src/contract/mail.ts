import { z } from 'zod';
import { AgentRole } from './agent.ts';
import { enumeration, message } from './message.ts';

/** How far a mail has got: it is durable, its recipient was told to look, it was handed over. */
export const MailState = enumeration('agent.v1.MailState', [
  'MAIL_STATE_UNSPECIFIED',
  'MAIL_STATE_ACCEPTED',
  'MAIL_STATE_RUNG',
  'MAIL_STATE_TAKEN',
]);
export type MailState = z.infer<typeof MailState>;

/** Which mail is listed: what was sent to the agent, or what it sent. */
export const MailBox = enumeration('agent.v1.MailBox', ['MAIL_BOX_UNSPECIFIED', 'MAIL_BOX_INBOX', 'MAIL_BOX_SENT']);
export type MailBox = z.infer<typeof MailBox>;

/** One mail and what became of it. Timestamps are RFC 3339 in UTC. */
export const Mail = message('agent.v1.Mail', {
  id: [1, z.string()],
  toAgentId: [2, z.string()],
  toName: [3, z.string()],
  /** Unset for one that a person sent. */
  fromAgentId: [4, z.string()],
  /** The sender's name and role when it was sent. */
  fromName: [5, z.string()],
  fromRole: [6, AgentRole],
  subject: [7, z.string()],
  body: [8, z.string()],
  /** Whether body holds only its opening. */
  bodyTruncated: [9, z.boolean()],
  kind: [10, z.string()],
  /** The mail that it answers. */
  inReplyTo: [11, z.string()],
  /** How many mails before it each set off the next one. */
  hops: [12, z.int32()],
  state: [13, MailState],
  sentAt: [14, z.string()],
  rungAt: [15, z.string()],
  takenAt: [16, z.string()],
  idempotencyKey: [17, z.string()],
  /** The mail that set it off: the one that its sender had taken last. */
  setOffBy: [18, z.string()],
});
export type Mail = z.infer<typeof Mail>;
