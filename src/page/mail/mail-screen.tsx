import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Elapsed } from '#page/parts/elapsed.tsx';
import { Split } from '#page/parts/split.tsx';
import { Trouble } from '#page/parts/trouble.tsx';
import { useListKeys } from '#page/parts/use-list-keys.ts';
import './mail.css';
import type { Thread } from './threads.ts';
import { useMail } from './use-mail.ts';
import { WriteDialog } from './write-dialog.tsx';

/** Mail between agents, and of people to them, as threads; beside them the one that is read. */
export function MailScreen() {
  const { threads, error, isPending, hasNextPage, fetchNextPage, isFetching } = useMail();
  const { mailId } = useParams({ strict: false });
  const navigate = useNavigate();
  const [isWriting, setIsWriting] = useState(false);
  const chosen = threads.find(({ letters }) => letters.some(({ mail }) => mail.id === mailId))?.id ?? mailId;
  const open = (id: string): void =>
    void navigate({ to: '/mail/$mailId', params: { mailId: id }, replace: chosen !== undefined });
  useListKeys({
    ids: threads.map(({ id }) => id),
    chosen,
    open,
    close: () => void navigate({ to: '/mail' }),
    keys: { n: () => setIsWriting(true) },
  });
  const unread = threads.reduce((sum, thread) => sum + thread.unread, 0);
  const head = (
    <>
      <span className="muted">{unread > 0 && `${unread} not read yet`}</span>
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
          <p>What agents write to each other, and you to them, is read here.</p>
        </div>
      )}
      <ul className="rows" aria-label="Threads">
        {threads.map((thread) => (
          <ThreadRow key={thread.id} thread={thread} isChosen={thread.id === chosen} />
        ))}
      </ul>
      {hasNextPage && (
        <div className="more">
          <button type="button" className="button" disabled={isFetching} onClick={() => void fetchNextPage()}>
            Older mail
          </button>
        </div>
      )}
      {isWriting && <WriteDialog answered={undefined} onClose={() => setIsWriting(false)} onSent={open} />}
    </Split>
  );
}

function ThreadRow({ thread, isChosen }: { readonly thread: Thread; readonly isChosen: boolean }) {
  const { id, subject, people, letters, unread, latestAt } = thread;
  const last = letters.at(-1)?.mail;
  return (
    <li className="row thread" data-chosen={isChosen} data-unread={unread > 0}>
      <p className="thread-people cut">{people.join(', ')}</p>
      <div className="thread-subject">
        <Link
          to="/mail/$mailId"
          params={{ mailId: id }}
          className="row-link cut"
          aria-current={isChosen ? 'true' : undefined}
          preload={false}
        >
          {subject}
        </Link>
        <p className="muted cut">{letters.length > 1 || last?.subject !== '' ? last?.body.split('\n')[0] : ''}</p>
      </div>
      <p className="thread-count">
        {letters.length > 1 && <span className="muted">{letters.length} mails</span>}
        {unread > 0 && <span className="unread">{unread} unread</span>}
      </p>
      <p className="thread-at muted">
        <Elapsed since={latestAt} />
      </p>
    </li>
  );
}
