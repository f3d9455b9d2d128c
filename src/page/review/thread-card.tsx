import { useState } from 'react';
import { agents } from '#page/api/clients.ts';
import {
  ReviewAuthorKind,
  ReviewDeliveryState,
  type ReviewMessage,
  type ReviewPlace,
  ReviewPlaceState,
  type ReviewThread,
} from '#page/client/agent/v1/agent_pb.js';
import { useRow } from '#page/fleet/fleet.ts';
import { Elapsed } from '#page/parts/elapsed.tsx';
import { showNotice } from '#page/parts/notices.tsx';
import { rangeText } from './code/ranges.ts';
import { CommentForm } from './comment-form.tsx';
import type { ReviewAct } from './data.ts';
import { linesOf, Quotation, Suggestion } from './suggestion.tsx';

const delivered: Readonly<Record<ReviewDeliveryState, string>> = {
  [ReviewDeliveryState.UNSPECIFIED]: '',
  [ReviewDeliveryState.UNSENT]: 'only you see it until you release',
  [ReviewDeliveryState.SENT]: 'sent',
  [ReviewDeliveryState.DELIVERED]: 'read by the agent',
};

/** Where a thread's lines are in the newest round, as text; empty if that is its own round. */
export function placeText(place: ReviewPlace | undefined): string {
  if (place === undefined) return '';
  const round = `in round ${place.roundOrdinal}`;
  const at = place.filePath === '' ? rangeText(place) : `${place.filePath}, ${rangeText(place)}`;
  if (place.state === ReviewPlaceState.STILL) return `still there ${round}`;
  if (place.state === ReviewPlaceState.MOVED) return `moved ${round}: ${at}`;
  if (place.state === ReviewPlaceState.CHANGED) return `changed ${round}`;
  return place.state === ReviewPlaceState.GONE ? `gone ${round}` : '';
}

const placeKinds: Readonly<Partial<Record<ReviewPlaceState, string>>> = {
  [ReviewPlaceState.STILL]: 'still',
  [ReviewPlaceState.MOVED]: 'moved',
  [ReviewPlaceState.CHANGED]: 'changed',
  [ReviewPlaceState.GONE]: 'gone',
};

interface ThreadProps {
  readonly thread: ReviewThread;
  readonly act: ReviewAct;
  /** Whether to name the lines, because the thread is not shown at them. */
  readonly withLines?: boolean;
}

/** A thread: its messages, where its lines are now, and its actions. */
export function ThreadCard({ thread, act, withLines = false }: ThreadProps) {
  const { id: threadId, messages, resolvedAt, unreadByHuman, place } = thread;
  const [isOpen, setOpen] = useState(false);
  const [isReplying, setReplying] = useState(false);
  const isResolved = resolvedAt !== '';
  const isUnsent = messages.every(({ delivery }) => delivery === ReviewDeliveryState.UNSENT);
  const suggests = messages.some(({ suggestion }) => suggestion.length > 0);
  const place_ = placeText(place);
  return (
    <article className="thread" data-unread={unreadByHuman} data-resolved={isResolved} data-thread={threadId}>
      <header>
        <span className="thread-place">{`${thread.filePath.split('/').at(-1)}, ${rangeText(thread)}`}</span>
        {place_ !== '' && (
          <span className="sign" data-place={placeKinds[place?.state ?? ReviewPlaceState.UNSPECIFIED]}>
            {place_}
          </span>
        )}
        {unreadByHuman && <span className="sign unread">new reply</span>}
        {isResolved && (
          <button type="button" className="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Resolved: show'}
          </button>
        )}
      </header>
      {(!isResolved || isOpen) && (
        <>
          {withLines && thread.quotedLines.length > 0 && <Quotation thread={thread} />}
          {messages.map((message) => (
            <Message key={message.id} message={message} thread={thread} act={act} />
          ))}
          {isReplying ? (
            <CommentForm
              draftKey={`reply ${threadId}`}
              label="Reply"
              lines={thread.newEnd > 0 ? linesOf(thread) : undefined}
              submitLabel="Reply"
              isBusy={act.isPending}
              onCancel={() => setReplying(false)}
              onSubmit={(body, suggestion, sent) => {
                const reply = () => agents.replyReviewThread({ threadId, body, suggestion: [...suggestion] });
                const end = (): void => {
                  sent();
                  setReplying(false);
                };
                act.mutate(reply, { onSuccess: end });
              }}
            />
          ) : (
            <div className="thread-acts">
              <button type="button" className="button" onClick={() => setReplying(true)}>
                Reply
              </button>
              {!isUnsent && (
                <button
                  type="button"
                  className="button"
                  disabled={act.isPending}
                  onClick={() =>
                    act.mutate(() =>
                      isResolved ? agents.reopenReviewThread({ threadId }) : agents.resolveReviewThread({ threadId }),
                    )
                  }
                >
                  {isResolved ? 'Reopen' : 'Resolve'}
                </button>
              )}
              {suggests && (
                <button
                  type="button"
                  className="button"
                  disabled={act.isPending}
                  onClick={() => act.mutate(() => apply(threadId))}
                >
                  Apply the suggestion
                </button>
              )}
              {isUnsent && (
                <button
                  type="button"
                  className="button danger"
                  disabled={act.isPending}
                  onClick={() => act.mutate(() => agents.deleteReviewThread({ threadId }))}
                >
                  Delete
                </button>
              )}
            </div>
          )}
        </>
      )}
    </article>
  );
}

async function apply(threadId: string): Promise<void> {
  const { filePath, start, end } = await agents.applyReviewSuggestion({ threadId });
  showNotice({ tone: 'done', text: `${filePath}, lines ${start} to ${end}: suggestion applied` });
}

interface MessageProps {
  readonly message: ReviewMessage;
  readonly thread: ReviewThread;
  readonly act: ReviewAct;
}

function Message({ message, thread, act }: MessageProps) {
  const { id: messageId, body, suggestion, delivery, createdAt } = message;
  const [isEditing, setEditing] = useState(false);
  const isOwn = message.authorKind === ReviewAuthorKind.HUMAN;
  const isUnsent = delivery === ReviewDeliveryState.UNSENT;
  const author = useRow(message.authorAgentId)?.agent?.name ?? 'an agent';
  if (isEditing) {
    return (
      <CommentForm
        draftKey={`edit ${messageId}`}
        label="Comment"
        lines={thread.newEnd > 0 ? linesOf(thread) : undefined}
        before={{ body, suggestion }}
        submitLabel="Save"
        isBusy={act.isPending}
        onCancel={() => setEditing(false)}
        onSubmit={(text, lines, sent) => {
          const edit = () => agents.editReviewMessage({ messageId, body: text, suggestion: [...lines] });
          const end = (): void => {
            sent();
            setEditing(false);
          };
          act.mutate(edit, { onSuccess: end });
        }}
      />
    );
  }
  return (
    <div className="message" data-own={isOwn}>
      <p className="message-head">
        <b>{isOwn ? 'You' : author}</b>{' '}
        <span className="muted">
          <Elapsed since={createdAt} /> ago{isOwn && delivered[delivery] !== '' && `, ${delivered[delivery]}`}
        </span>
        {isOwn && isUnsent && (
          <button type="button" className="quiet" onClick={() => setEditing(true)}>
            Edit
          </button>
        )}
      </p>
      <p className="message-body">{body}</p>
      {suggestion.length > 0 && <Suggestion thread={thread} lines={suggestion} />}
    </div>
  );
}
