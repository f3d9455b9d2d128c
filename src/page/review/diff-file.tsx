import { memo, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { DiffType } from 'react-diff-view';
import 'react-diff-view/style/index.css';
import './diff.css';
import './code/code.css';
import { languageOf } from './code/languages.ts';
import { hunksOf, pairedHunksOf } from './code/patch.ts';
import { endsRange } from './code/ranges.ts';
import { isTooWide } from './code/use-tokens.ts';
import { DiffHunk } from './diff-hunk.tsx';
import type { FileProps } from './shown-file.ts';
import { ThreadCard } from './thread-card.tsx';

const changes = ['', 'added', 'deleted', 'changed', 'renamed', 'type changed'] as const;
const omissions = ['', 'It is binary: its lines are not shown.', 'It is too large to be shown.'] as const;
const types: Readonly<Record<number, DiffType | undefined>> = { 1: 'add', 2: 'delete' };

interface DiffFileProps extends FileProps {
  readonly isSeen: boolean;
  readonly onSeen: (path: string, isSeen: boolean) => void;
}

/** A file of a diff, with its threads at their lines. A viewed file is folded until it has a new comment. */
export const DiffFile = memo(function DiffFile({ isSeen, onSeen, ...props }: DiffFileProps) {
  const { file, threads } = props;
  const [fold, setFold] = useState<boolean>();
  const isFolded = fold ?? (isSeen && !threads.some(({ thread }) => thread.unreadByHuman));
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // If a file is folded from its middle, continue at its head.
    const file = place.current;
    const top = file?.closest('.review-columns')?.getBoundingClientRect().top ?? 0;
    if (file !== null && isFolded && file.getBoundingClientRect().top < top) file.scrollIntoView({ block: 'start' });
  }, [isFolded]);
  const isWide = useMemo(() => file.patch.split('\n').some((line) => isTooWide([{ content: line }])), [file.patch]);
  return (
    <section
      ref={place}
      className="diff-file"
      id={`file-${file.path}`}
      data-viewed={isSeen}
      data-folded={isFolded}
      aria-label={file.path}
    >
      <header className="file-head">
        <h2>
          <button type="button" className="fold" aria-expanded={!isFolded} onClick={() => setFold(!isFolded)}>
            <span className="fold-sign" aria-hidden="true" />
            <code>{file.oldPath === '' ? file.path : `${file.oldPath} → ${file.path}`}</code>
          </button>
        </h2>
        <span className="muted">{changes[file.change]}</span>
        {isWide && <span className="muted">no colours: lines too long</span>}
        <span className="spring" />
        <span className="added-count">+{file.added}</span>
        <span className="deleted-count">−{file.deleted}</span>
        <label className="viewed">
          <input
            type="checkbox"
            checked={isSeen}
            onChange={({ target }) => {
              setFold(undefined);
              onSeen(file.path, target.checked);
            }}
          />{' '}
          Viewed
        </label>
      </header>
      {!isFolded && <FileBody {...props} />}
    </section>
  );
});

/** The hunks of a file. Threads that are at none of its lines are above them. */
function FileBody(props: FileProps) {
  const { file, threads, isSplit, act } = props;
  const hunks = useMemo(() => hunksOf(file.patch), [file.patch]);
  const shown = useMemo(() => (isSplit ? pairedHunksOf(file.patch) : hunks), [file.patch, hunks, isSplit]);
  const elsewhere = useMemo(() => {
    const rows = threads.length === 0 ? [] : hunks.flatMap((hunk) => hunk.changes);
    return threads.filter(({ ranges }) => !rows.some((row) => endsRange(row, ranges)));
  }, [hunks, threads]);
  const omitted = omissions[file.omitted] ?? '';
  return (
    <>
      {omitted !== '' && <p className="muted diff-omitted">{omitted}</p>}
      {elsewhere.map(({ thread }) => (
        <ThreadCard key={thread.id} thread={thread} act={act} withLines />
      ))}
      {hunks.map((hunk, at) => (
        <DiffHunk
          key={`${hunk.oldStart} ${hunk.newStart}`}
          {...props}
          hunk={hunk}
          shown={shown[at] ?? hunk}
          language={languageOf(file.path)}
          diffType={types[file.change] ?? 'modify'}
        />
      ))}
    </>
  );
}
