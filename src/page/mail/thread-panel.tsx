import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { AgentRole, type Mail, MailState } from '#page/client/agent/v1/agent_pb.js';
import { AgentName } from '#page/fleet/names.tsx';
import { SidePanel } from '#page/panel/side-panel.tsx';
import { useKeys } from '#page/parts/keys.ts';
import { Tag } from '#page/parts/tag.tsx';
import type { Tone } from '#page/parts/tone.ts';
import { Trouble } from '#page/parts/trouble.tsx';
import { When } from '#page/parts/when.tsx';
import { type MessageNode, senderOf } from './threads.ts';
import { useMail } from './use-mail.ts';
import { WriteDialog } from './write-dialog.tsx';

const route = getRouteApi('/mail/$mailId');
const back = { to: '/mail', label: 'All mail' } as const;

const states: Readonly<Record<MailState, readonly [word: string, tone: Tone, title: string]>> = {
  [MailState.UNSPECIFIED]: ['', 'plain', ''],
  [MailState.ACCEPTED]: ['unread', 'wants', 'it waits: the doorbell rings once the agent is idle'],
  [MailState.RUNG]: ['rung', 'busy', 'the doorbell rang, and the agent has not taken it yet'],
  [MailState.TAKEN]: ['read', 'good', 'the agent has taken it'],
};
const roles: Readonly<Record<AgentRole, string>> = {
  [AgentRole.UNSPECIFIED]: '',
  [AgentRole.IMPLEMENTER]: 'implementer',
  [AgentRole.REVIEWER]: 'reviewer',
  [AgentRole.ORCHESTRATOR]: 'orchestrator',
};

/** A mail thread: its mails, and what caused each. */
export function ThreadPanel() {
  const { mailId } = route.useParams();
  const { threads, error, isPending } = useMail();
  const thread = threads.find(({ messages }) => messages.some(({ mail }) => mail.id === mailId));
  const [answered, setAnswered] = useState<Mail>();
  const last = thread?.messages.findLast(({ mail }) => mail.fromAgentId !== '') ?? thread?.messages.at(-1);
  useKeys({ r: last && (() => setAnswered(last.mail)) });
  if (thread === undefined) {
    return (
      <SidePanel label="Thread" title="…" back={back}>
        <Trouble error={error} />
        {!isPending && <p className="muted">It is not in the mail loaded so far.</p>}
      </SidePanel>
    );
  }
  return (
    <SidePanel key={thread.id} label={`Thread ${thread.subject}`} title={thread.subject} back={back}>
      <ol className="messages">
        {thread.messages.map((message) => (
          <MessageCard key={message.mail.id} message={message} onReply={setAnswered} />
        ))}
      </ol>
      {answered !== undefined && <WriteDialog answered={answered} onClose={() => setAnswered(undefined)} />}
    </SidePanel>
  );
}

interface CardProps {
  readonly message: MessageNode;
  readonly onReply: (mail: Mail) => void;
}

/** Mails that are nested deeper are not indented further. */
const deepest = 4;

function MessageCard({ message: { mail, depth }, onReply }: CardProps) {
  const { fromAgentId, fromName, fromRole, toAgentId, toName, subject, body, kind, inReplyTo, setOffBy } = mail;
  const [word, tone, title] = states[mail.state] ?? states[MailState.UNSPECIFIED];
  const why = inReplyTo !== '' ? 'a reply' : setOffBy !== '' ? 'caused by the mail above' : '';
  return (
    <li className="message" data-depth={Math.min(depth, deepest)}>
      <header>
        <p>
          {fromAgentId === '' ? <b>{senderOf(mail)}</b> : <AgentName agentId={fromAgentId} name={fromName} />}{' '}
          <span className="muted">{roles[fromRole]}</span> <span aria-hidden="true">→</span>
          <span className="unseen">to</span> <AgentName agentId={toAgentId} name={toName} />
        </p>
        <Tag tone={tone} word={word} title={title} />
      </header>
      <p className="muted message-about">
        <When at={mail.sentAt} />
        {why !== '' && depth > 0 && <span>{why}</span>}
        {kind !== '' && <code>{kind}</code>}
      </p>
      {subject !== '' && depth > 0 && <p className="message-subject">{subject}</p>}
      <p className="message-body">{body}</p>
      <button
        type="button"
        className="quiet"
        aria-label={`Reply to ${fromAgentId === '' ? toName : fromName}`}
        onClick={() => onReply(mail)}
      >
        Reply
      </button>
    </li>
  );
}
