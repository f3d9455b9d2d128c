import { Fragment, memo, useMemo, useState } from 'react';
import { agents } from '#page/api/clients.ts';
import type { ReviewFile, ReviewThread } from '#page/client/agent/v1/agent_pb.js';
import { CommentForm } from './comment-form.tsx';
import type { ReviewAct } from './data.ts';
import './diff.css';
import { DiffText } from './diff-text.tsx';
import {
  type DiffRow,
  endsRange,
  type Hunk,
  hunksOf,
  isWithin,
  markers,
  type Ranges,
  rangesOf,
  rangeText,
} from './patch.ts';
import { ThreadCard } from './thread-card.tsx';

const changes = ['', 'added', 'deleted', 'changed', 'renamed', 'of another kind now'] as const;
const omissions = ['', 'It is binary: its lines are not shown.', 'It is too large to be shown.'] as const;

/** Where a thread is shown in a diff. */
export interface PlacedThread {
  readonly thread: ReviewThread;
  readonly ranges: Ranges;
}

interface FileProps {
  readonly agentId: string;
  readonly file: ReviewFile;
  /** Threads whose lines may be in it. */
  readonly threads: readonly PlacedThread[];
  /** The commits that the diff is of. */
  readonly baseSha: string;
  readonly snapshotSha: string;
  readonly act: ReviewAct;
}

/** One file of a diff with its threads at their lines. */
export const DiffFile = memo(function DiffFile(props: FileProps) {
  const { file, threads } = props;
  const hunks = useMemo(() => hunksOf(file.patch), [file.patch]);
  const shown = new Set<string>();
  for (const { rows } of hunks)
    for (const row of rows) for (const { thread, ranges } of threads) if (endsRange(row, ranges)) shown.add(thread.id);
  const elsewhere = threads.filter(({ thread }) => !shown.has(thread.id));
  return (
    <section className="diff-file" id={`file-${file.path}`} aria-label={file.path}>
      <h2>
        <code>{file.oldPath === '' ? file.path : `${file.oldPath} → ${file.path}`}</code>
        <span className="muted">{changes[file.change]}</span>
        <span className="spring" />
        <span className="added-count">+{file.added}</span>
        <span className="deleted-count">−{file.deleted}</span>
      </h2>
      {omissions[file.omitted] !== '' && <p className="muted diff-omitted">{omissions[file.omitted]}</p>}
      {elsewhere.map(({ thread }) => (
        <ThreadCard key={thread.id} thread={thread} act={props.act} withLines />
      ))}
      {hunks.map((hunk) => (
        <DiffHunk key={`${hunk.oldStart} ${hunk.newStart}`} {...props} hunk={hunk} />
      ))}
    </section>
  );
});

interface Selected {
  readonly from: number;
  readonly to: number;
  /** Whether a comment on it is being written. */
  readonly isWriting: boolean;
}

function DiffHunk({ agentId, file, threads, baseSha, snapshotSha, act, hunk }: FileProps & { readonly hunk: Hunk }) {
  const [selected, setSelected] = useState<Selected>();
  const [current, setCurrent] = useState(0);
  const [first, last] = selected ? [selected.from, selected.to].sort((a, b) => a - b) : [-1, -1];
  const rows = selected === undefined ? [] : hunk.rows.slice(first, (last ?? 0) + 1);
  const goTo = (at: number, extends_: boolean, place: HTMLElement): void => {
    const next = Math.min(hunk.rows.length - 1, Math.max(0, at));
    setCurrent(next);
    if (extends_) setSelected({ from: selected?.from ?? current, to: next, isWriting: false });
    else setSelected(undefined);
    place.closest('tbody')?.querySelector<HTMLElement>(`[data-at="${next}"]`)?.focus();
  };
  const comment = (body: string, suggestion: readonly string[]): void => {
    const write = () =>
      agents.createReviewThread({
        ...rangesOf(rows),
        agentId,
        filePath: file.path,
        baseSha,
        snapshotSha,
        quotedLines: rows.map(({ kind, text }) => `${markers[kind]}${text}`),
        body,
        suggestion: [...suggestion],
      });
    act.mutate(write, { onSuccess: () => setSelected(undefined) });
  };
  return (
    <table className="hunk" aria-label={`${file.path} from line ${hunk.newStart}`}>
      <tbody onPointerLeave={() => selected?.isWriting === false && setSelected(undefined)}>
        {hunk.where !== '' && (
          <tr className="hunk-where">
            <td colSpan={3}>{hunk.where}</td>
          </tr>
        )}
        {hunk.rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a hunk never move
          <Fragment key={at}>
            <tr
              className="diff-row"
              data-kind={row.kind}
              data-selected={selected !== undefined && at >= (first ?? 0) && at <= (last ?? 0)}
              data-commented={threads.some(({ ranges }) => isWithin(row, ranges))}
              onPointerEnter={({ buttons }) => {
                if (buttons === 1 && selected?.isWriting === false) setSelected({ ...selected, to: at });
              }}
              onPointerUp={() => selected?.isWriting === false && setSelected({ ...selected, isWriting: true })}
            >
              <td className="line-number">{row.old}</td>
              <td className="line-number">
                <button
                  type="button"
                  data-at={at}
                  tabIndex={at === current ? 0 : -1}
                  aria-label={`Comment on ${rangeText(rangesOf([row]))} of ${file.path}`}
                  onPointerDown={(event) => {
                    if (event.button !== 0) return;
                    event.preventDefault();
                    event.currentTarget.releasePointerCapture(event.pointerId);
                    setSelected({ from: event.shiftKey ? current : at, to: at, isWriting: false });
                    setCurrent(at);
                  }}
                  onKeyDown={(event) => {
                    if (event.key === 'ArrowDown') goTo(at + 1, event.shiftKey, event.currentTarget);
                    else if (event.key === 'ArrowUp') goTo(at - 1, event.shiftKey, event.currentTarget);
                    else if (event.key === 'Enter' || event.key === 'c') {
                      setSelected({ from: selected?.from ?? at, to: at, isWriting: true });
                    } else return;
                    event.preventDefault();
                    event.stopPropagation();
                  }}
                >
                  {row.new ?? '−'}
                </button>
              </td>
              <td className="line-text">
                <DiffText kind={row.kind} text={row.text} />
              </td>
            </tr>
            {selected?.isWriting && at === last && (
              <tr className="diff-inset">
                <td colSpan={3}>
                  <CommentForm
                    label={`Comment on ${rangeText(rangesOf(rows))}`}
                    lines={rows.some((one) => one.new !== undefined) ? newLines(rows) : undefined}
                    submitLabel="Comment"
                    isBusy={act.isPending}
                    onSubmit={comment}
                    onCancel={() => setSelected(undefined)}
                  />
                </td>
              </tr>
            )}
            {threads
              .filter(({ ranges }) => endsRange(row, ranges))
              .map(({ thread }) => (
                <tr key={thread.id} className="diff-inset">
                  <td colSpan={3}>
                    <ThreadCard thread={thread} act={act} />
                  </td>
                </tr>
              ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function newLines(rows: readonly DiffRow[]): readonly string[] {
  return rows.filter((row) => row.new !== undefined).map(({ text }) => text);
}
