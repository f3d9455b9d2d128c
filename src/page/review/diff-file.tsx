import { memo, useMemo } from 'react';
import './diff.css';
import { DiffHunk } from './hunk.tsx';
import { endsRange, hunksOf } from './patch.ts';
import type { FileProps } from './shown-file.ts';
import { ThreadCard } from './thread-card.tsx';

const changes = ['', 'added', 'deleted', 'changed', 'renamed', 'of another kind now'] as const;
const omissions = ['', 'It is binary: its lines are not shown.', 'It is too large to be shown.'] as const;

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
