import { change } from '#actors/registry/agent/change.ts';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { Caller } from '#contract/access/caller.ts';
import type { Mail } from '#contract/mail.ts';
import { type SendMailRequest, sendMail } from '#contract/operations/mail.ts';
import { deliverMail } from './deliver-mail.ts';
import { mailOf } from './mail-resource.ts';
import { answeredMail, checkedChain, checkMayMail, type Sender } from './mail-rules.ts';
import type { MailScope } from './mail-scope.ts';

/** Accepts a mail. When it answers, the mail and its recipient's doorbell are stored. */
export const sendMailHandler = handler(sendMail, (request, caller, scope: MailScope) =>
  change(scope, async (writing) => ({ mail: await sendOnce(writing, scope, request, caller) })),
);

async function sendOnce(writing: Change, scope: MailScope, request: SendMailRequest, caller: Caller): Promise<Mail> {
  const { mail } = writing.tables;
  const { idempotencyKey } = request;
  const by = caller.kind === 'person' ? 'person' : caller.agentId;
  const known = idempotencyKey ? await mail.findByKey(by, idempotencyKey) : undefined;
  if (known === undefined) return send(writing, scope, request, caller);
  const names = await writing.tables.agents.namesOf([known.toAgentId]);
  return mailOf(known, names.get(known.toAgentId) ?? '', false);
}

/** Checks a mail, stores it and raises its recipient's doorbell. */
async function send(
  writing: Change,
  { mailLimits }: MailScope,
  { agentId, subject = '', body, inReplyTo, kind = '', idempotencyKey }: SendMailRequest,
  caller: Caller,
): Promise<Mail> {
  const { tables, now } = writing;
  const to = await findAgent(tables.agents, agentId);
  checkMayMail(caller, to);
  const sender: Sender = caller.kind === 'person' ? 'person' : await findAgent(tables.agents, caller.agentId);
  const answered = inReplyTo ? await answeredMail(tables, inReplyTo, sender) : undefined;
  const chain = await checkedChain(tables, mailLimits, now, { sender, to, answered });
  const from =
    sender === 'person' ? { id: sender, name: 'the person', role: 'AGENT_ROLE_UNSPECIFIED' as const } : sender;
  const sent = await deliverMail(writing, to, {
    from,
    subject,
    body,
    kind,
    inReplyTo: answered?.id ?? null,
    ...chain,
    idempotencyKey: idempotencyKey || null,
  });
  return mailOf(sent, to.name, false);
}
