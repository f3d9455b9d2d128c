import { type ReactNode, useMemo, useReducer } from 'react';
import { type ChangeData, type DiffProps, type EventMap, getChangeKey, isDelete } from 'react-diff-view';
import { DiffPiece } from './code/diff-piece.tsx';
import { type Hunk, pairsOf } from './code/patch.ts';
import { piecesOf } from './code/pieces.ts';
import { endsRange, isWithin, type Ranges } from './code/ranges.ts';
import { HunkSelection, nothingChosen, rangeIn, type Selection, selected } from './code/selecting.ts';
import { NewComment } from './new-comment.tsx';
import type { FileProps } from './shown-file.ts';
import { ThreadCard } from './thread-card.tsx';

interface HunkProps extends FileProps, Pick<DiffProps, 'diffType'> {
  readonly hunk: Hunk;
  /** The same hunk in the order in which it is shown. */
  readonly shown: Hunk;
  readonly language: string | undefined;
}

/** Adjacent rows that can be commented on, with their threads. */
export function DiffHunk(props: HunkProps) {
  const { file, hunk, shown, isSplit, diffType, language, threads } = props;
  const [selection, select] = useReducer(selected, nothingChosen);
  const places = useMemo(() => new Map(hunk.changes.map((change, at) => [getChangeKey(change), at])), [hunk]);
  const pieces = useMemo(() => piecesOf(shown.changes), [shown]);
  const pairs = useMemo(() => pairsOf(shown.changes), [shown]);
  // Threads are refetched often; re-render rows only if the threads' lines have changed.
  const about = JSON.stringify(threads.map(({ ranges }) => ranges));
  const lineClass = useMemo(() => {
    const ranges = JSON.parse(about) as readonly Ranges[];
    return (changes: readonly (ChangeData | null)[]) => classOf(changes, ranges);
  }, [about]);
  const events = useMemo((): EventMap => {
    const drag = ({ change }: { change: ChangeData | null }, { buttons }: { buttons: number }): void => {
      const at = change === null ? undefined : places.get(getChangeKey(change));
      if (at !== undefined && buttons === 1) select({ act: 'drag', at });
    };
    return { onPointerEnter: drag };
  }, [places]);
  const context = useMemo(
    () => ({ path: file.path, count: hunk.changes.length, current: selection.current, places, select }),
    [file.path, hunk, selection.current, places],
  );
  const below = contentBelow(props, selection, () => select({ act: 'end' }));
  const range = rangeIn(selection);
  const chosen = range === undefined ? [] : hunk.changes.slice(range.first, range.last + 1);
  return (
    <HunkSelection value={context}>
      <div
        className="hunk"
        onPointerUp={() => select({ act: 'write' })}
        onPointerLeave={() => select({ act: 'abandon' })}
      >
        {pieces.map((rows, at) => (
          <DiffPiece
            // If the view changes to side by side, only the pieces near the viewport are rendered again.
            key={`${rows[0] && getChangeKey(rows[0])} ${isSplit}`}
            rows={rows}
            all={shown.changes}
            pairs={pairs}
            language={language}
            diffType={diffType}
            where={at === 0 ? hunk.where : ''}
            isSplit={isSplit}
            chosen={keysIn(rows, chosen)}
            below={partOf(below, rows)}
            lineClass={lineClass}
            events={events}
          />
        ))}
      </div>
    </HunkSelection>
  );
}

const noKeys: string[] = [];
const nothing: Record<string, ReactNode> = {};

/** The keys of the selected rows of a piece. Always the same array if there are none, to avoid re-rendering. */
function keysIn(rows: readonly ChangeData[], chosen: readonly ChangeData[]): string[] {
  if (chosen.length === 0) return noKeys;
  const wanted = new Set(chosen.map(getChangeKey));
  const keys = rows.map(getChangeKey).filter((key) => wanted.has(key));
  return keys.length === 0 ? noKeys : keys;
}

function partOf(below: ReadonlyMap<string, ReactNode>, rows: readonly ChangeData[]): Record<string, ReactNode> {
  if (below.size === 0) return nothing;
  const part = rows.map(getChangeKey).flatMap((key) => (below.has(key) ? [[key, below.get(key)] as const] : []));
  return part.length === 0 ? nothing : Object.fromEntries(part);
}

/** The content below rows, by their keys: threads below the last of their lines, and the comment form. */
function contentBelow(props: HunkProps, selection: Selection, onEnd: () => void): ReadonlyMap<string, ReactNode> {
  const { hunk, threads, act } = props;
  const range = rangeIn(selection);
  const last = selection.isWriting && range !== undefined ? hunk.changes[range.last] : undefined;
  const below = new Map<string, ReactNode>();
  if (threads.length === 0 && last === undefined) return below;
  for (const change of hunk.changes) {
    const here = threads.filter(({ ranges }) => endsRange(change, ranges));
    if (here.length === 0 && change !== last) continue;
    below.set(
      getChangeKey(change),
      <>
        {change === last && range !== undefined && (
          <NewComment {...props} rows={hunk.changes.slice(range.first, range.last + 1)} onEnd={onEnd} />
        )}
        {here.map(({ thread }) => (
          <ThreadCard key={thread.id} thread={thread} act={act} />
        ))}
      </>,
    );
  }
  return below;
}

/** The class that marks the side of a row to which a thread refers. In a unified view, that is always the last side. */
function classOf(changes: readonly (ChangeData | null)[], ranges: readonly Ranges[]): string {
  const isAbout = (change: ChangeData | null | undefined): boolean =>
    change != null && ranges.some((range) => isWithin(change, range));
  const [first, second] = changes;
  if (second === undefined) return isAbout(first) ? 'about-new' : '';
  const isOld = first != null && isDelete(first) && isAbout(first);
  return `${isOld ? 'about-old' : ''} ${isAbout(second) ? 'about-new' : ''}`.trim();
}
