import { agents } from '#page/api/clients.ts';
import type { ReviewRound, ReviewThread } from '#page/client/agent/v1/agent_pb.js';
import { Elapsed } from '#page/parts/elapsed.tsx';
import type { ReviewAct } from './data.ts';

interface RoundBarProps {
  /** Newest first. */
  readonly rounds: readonly ReviewRound[];
  readonly round: ReviewRound;
  /** The earlier round with which it is compared; empty for the base. */
  readonly since: string;
  readonly threads: readonly ReviewThread[];
  readonly act: ReviewAct;
  readonly isSplit: boolean;
  readonly onSplit: (isSplit: boolean) => void;
  readonly onRound: (roundId: string) => void;
  readonly onSince: (roundId: string) => void;
}

/** The choice of the round and what it is compared with, and how many threads are open. */
export function RoundBar({ rounds, round, since, threads, act, isSplit, onSplit, onRound, onSince }: RoundBarProps) {
  const unread = threads.filter(({ unreadByHuman }) => unreadByHuman).map(({ id }) => id);
  const open = threads.filter(({ resolvedAt }) => resolvedAt === '').length;
  const earlier = rounds.filter(({ ordinal }) => ordinal < round.ordinal);
  return (
    <section className="round-bar" aria-label="Round">
      <label>
        Round
        <select value={round.id} onChange={({ target }) => onRound(target.value)}>
          {rounds.map(({ id, ordinal }, at) => (
            <option key={id} value={id}>
              {at === 0 ? `${ordinal}, the newest` : ordinal}
            </option>
          ))}
        </select>
      </label>
      <label>
        Compared with
        <select value={since} onChange={({ target }) => onSince(target.value)}>
          <option value="">the base</option>
          {earlier.map(({ id, ordinal }) => (
            <option key={id} value={id}>
              {`round ${ordinal}`}
            </option>
          ))}
        </select>
      </label>
      <label className="split-choice">
        <input type="checkbox" checked={isSplit} onChange={({ target }) => onSplit(target.checked)} /> Side by side{' '}
        <kbd>s</kbd>
      </label>
      <p className="muted">
        {round.changedFiles === 1 ? 'One file' : `${round.changedFiles} files`}, <Elapsed since={round.createdAt} /> old
        {open > 0 && `, ${open === 1 ? 'one open thread' : `${open} open threads`}`}
        {round.leftOutCount > 0 && `, ${round.leftOutCount} files left out`}
      </p>
      {unread.length > 0 && (
        <p className="unread-bar">
          <b>{unread.length === 1 ? 'One new reply' : `${unread.length} new replies`}</b> <kbd>u</kbd>
          <button
            type="button"
            className="button"
            disabled={act.isPending}
            onClick={() => act.mutate(() => agents.markReviewThreadsRead({ threadIds: unread.slice(0, 200) }))}
          >
            Mark {unread.length === 1 ? 'it' : 'them'} as read
          </button>
        </p>
      )}
    </section>
  );
}
