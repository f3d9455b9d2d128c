import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { RowLink } from '#page/list/row-link.tsx';
import { VirtualList } from '#page/list/virtual-list.tsx';
import { Split } from '#page/panel/split.tsx';
import { Elapsed } from '#page/parts/elapsed.tsx';
import { Trouble } from '#page/parts/trouble.tsx';
import './mail.css';
import type { Thread } from './threads.ts';
import { useMail } from './use-mail.ts';
import { WriteDialog } from './write-dialog.tsx';

/** The list of mail threads between agents and people, and the selected one next to it. */
export function MailScreen() {
  const { threads, error, isPending, paging } = useMail();
  const { mailId } = useParams({ strict: false });
  const navigate = useNavigate();
  const [isWriting, setIsWriting] = useState(false);
  const chosen = threads.find(({ messages }) => messages.some(({ mail }) => mail.id === mailId))?.id ?? mailId;
  const open = (id: string): void =>
    void navigate({ to: '/mail/$mailId', params: { mailId: id }, replace: chosen !== undefined });
  const unread = threads.reduce((sum, thread) => sum + thread.unread, 0);
  const head = (
    <>
      <span className="muted">{unread > 0 && `${unread} unread`}</span>
      <button type="button" className="button primary" onClick={() => setIsWriting(true)} aria-keyshortcuts="n">
        Write to an agent <kbd>n</kbd>
      </button>
    </>
  );
  return (
    <Split title="Mail" head={head} isOpen={chosen !== undefined}>
      <Trouble error={error} />
      {!isPending && threads.length === 0 && (
        <div className="empty">
          <h2>No mail yet</h2>
          <p>Mail between agents, and between you and them, appears here.</p>
        </div>
      )}
      <VirtualList
        label="Threads"
        rows={threads}
        idOf={({ id }) => id}
        rowHeight={55}
        rowProps={({ unread: waiting }) => ({ className: 'row thread', 'data-unread': waiting > 0 })}
        paging={paging}
        chosen={chosen}
        open={open}
        close={() => void navigate({ to: '/mail' })}
        keys={{ n: () => setIsWriting(true) }}
      >
        {(thread, place) => <ThreadRow thread={thread} {...place} />}
      </VirtualList>
      {isWriting && <WriteDialog answered={undefined} onClose={() => setIsWriting(false)} onSent={open} />}
    </Split>
  );
}

interface RowProps {
  readonly thread: Thread;
  readonly isChosen: boolean;
  readonly tabIndex: 0 | -1;
}

function ThreadRow({ thread, isChosen, tabIndex }: RowProps) {
  const { id, subject, people, messages, unread, ownUnread, latestAt } = thread;
  const last = messages.at(-1)?.mail;
  return (
    <>
      <p className="thread-people cut">{people.join(', ')}</p>
      <div className="thread-subject">
        <RowLink to="/mail/$mailId" params={{ mailId: id }} className="cut" isChosen={isChosen} tabIndex={tabIndex}>
          {subject}
        </RowLink>
        <p className="muted cut">{messages.length > 1 || last?.subject !== '' ? last?.body.split('\n')[0] : ''}</p>
      </div>
      <p className="thread-count">
        {messages.length > 1 && <span className="muted">{messages.length} mails</span>}
        {unread > 0 && <span className="unread">{unread} unread</span>}
        {ownUnread > 0 && <span className="muted">not read yet</span>}
      </p>
      <p className="thread-at muted">
        <Elapsed since={latestAt} />
      </p>
    </>
  );
}
