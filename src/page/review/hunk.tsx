import { Fragment } from 'react';
import { agents } from '#page/api/clients.ts';
import { CommentForm } from './comment-form.tsx';
import { DiffText } from './diff-text.tsx';
import { type Line, linesOf } from './lines.ts';
import { type DiffRow, endsRange, type Hunk, isWithin, markers, rangesOf, rangeText } from './patch.ts';
import { type Selecting, useSelecting } from './selecting.ts';
import type { FileProps } from './shown-file.ts';
import { ThreadCard } from './thread-card.tsx';

interface HunkProps extends FileProps {
  readonly hunk: Hunk;
}

/** Rows that stand together, each to be commented on, with the threads that are about them. */
export function DiffHunk(props: HunkProps) {
  const { file, hunk, isSplit, threads, act } = props;
  const selecting = useSelecting(hunk.rows.length);
  const columns = isSplit ? 4 : 3;
  return (
    <table className="hunk" data-split={isSplit} aria-label={`${file.path} from line ${hunk.newStart}`}>
      <colgroup>
        <col className="number-column" />
        <col className={isSplit ? undefined : 'number-column'} />
        {isSplit && <col className="number-column" />}
        <col />
      </colgroup>
      <tbody onPointerLeave={selecting.abandon}>
        {hunk.where !== '' && (
          <tr className="hunk-where">
            <td colSpan={columns}>{hunk.where}</td>
          </tr>
        )}
        {linesOf(hunk.rows, isSplit).map((line) => {
          const below = threads.filter(({ ranges }) => line.rows.some(({ row }) => endsRange(row, ranges)));
          return (
            <Fragment key={line.rows[0]?.at}>
              {isSplit ? (
                <SplitLine {...props} line={line} selecting={selecting} />
              ) : (
                <PlainLine {...props} line={line} selecting={selecting} />
              )}
              {selecting.isWriting && line.rows.some(({ at }) => at === selecting.last) && (
                <tr className="diff-inset">
                  <td colSpan={columns}>
                    <NewComment
                      {...props}
                      rows={hunk.rows.slice(selecting.first, selecting.last + 1)}
                      selecting={selecting}
                    />
                  </td>
                </tr>
              )}
              {below.map(({ thread }) => (
                <tr key={thread.id} className="diff-inset">
                  <td colSpan={columns}>
                    <ThreadCard thread={thread} act={act} />
                  </td>
                </tr>
              ))}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

interface LineProps extends HunkProps {
  readonly line: Line;
  readonly selecting: Selecting;
}

/** What was taken away above what came in its place. */
function PlainLine({ line, file, threads, selecting }: LineProps) {
  const [{ row, at } = { row: undefined, at: 0 }] = line.rows;
  if (row === undefined) return null;
  return (
    <tr
      className="diff-row"
      data-kind={row.kind}
      data-selected={selecting.holds(at)}
      data-commented={threads.some(({ ranges }) => isWithin(row, ranges))}
      onPointerEnter={({ buttons }) => selecting.drag(at, buttons)}
      onPointerUp={selecting.write}
    >
      <td className="line-number">{row.old}</td>
      <LineNumber path={file.path} row={row} at={at} selecting={selecting} />
      <td className="line-text">
        <DiffText kind={row.kind} text={row.text} />
      </td>
    </tr>
  );
}

/** What was taken away beside what came in its place. */
function SplitLine({ line, file, threads, selecting }: LineProps) {
  const places = [
    line.rows.find(({ row }) => row.kind !== 'added'),
    line.rows.find(({ row }) => row.kind !== 'deleted'),
  ];
  return (
    <tr className="split-row" onPointerUp={selecting.write}>
      {places.map((place, side) => {
        const key = side === 0 ? 'old' : 'new';
        if (place === undefined) return <td key={key} colSpan={2} className="no-line" />;
        const { row, at } = place;
        return (
          <Fragment key={key}>
            {side === 0 && row.kind === 'context' ? (
              <td className="line-number">{row.old}</td>
            ) : (
              <LineNumber path={file.path} row={row} at={at} selecting={selecting} />
            )}
            <td
              className="line-text"
              data-kind={row.kind}
              data-selected={selecting.holds(at)}
              data-commented={threads.some(({ ranges }) => isWithin(row, ranges))}
              onPointerEnter={({ buttons }) => selecting.drag(at, buttons)}
            >
              <DiffText kind={row.kind} text={row.text} />
            </td>
          </Fragment>
        );
      })}
    </tr>
  );
}

interface NumberProps {
  readonly path: string;
  readonly row: DiffRow;
  readonly at: number;
  readonly selecting: Selecting;
}

/** The number of a line, by which it is chosen. */
function LineNumber({ path, row, at, selecting }: NumberProps) {
  return (
    <td className="line-number" onPointerEnter={({ buttons }) => selecting.drag(at, buttons)}>
      <button
        type="button"
        data-at={at}
        tabIndex={at === selecting.current ? 0 : -1}
        aria-label={`Comment on ${rangeText(rangesOf([row]))} of ${path}`}
        onPointerDown={(event) => selecting.press(at, event)}
        onKeyDown={(event) => selecting.key(at, event)}
      >
        {row.new ?? row.old}
      </button>
    </td>
  );
}

interface NewCommentProps extends HunkProps {
  readonly rows: readonly DiffRow[];
  readonly selecting: Selecting;
}

function NewComment({ agentId, file, baseSha, snapshotSha, act, rows, selecting }: NewCommentProps) {
  const replaced = rows.filter((row) => row.new !== undefined).map(({ text }) => text);
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
    act.mutate(write, { onSuccess: selecting.end });
  };
  return (
    <CommentForm
      label={`Comment on ${rangeText(rangesOf(rows))}`}
      lines={replaced.length > 0 ? replaced : undefined}
      submitLabel="Comment"
      isBusy={act.isPending}
      onSubmit={comment}
      onCancel={selecting.end}
    />
  );
}
