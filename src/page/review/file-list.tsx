import { useState } from 'react';
import type { ReviewFile } from '#page/client/agent/v1/agent_pb.js';
import type { PlacedThread } from './shown-file.ts';

/** From this many files on, they can be searched by name. */
const manyFiles = 12;

interface FileListProps {
  readonly files: readonly ReviewFile[];
  readonly total: number;
  readonly placed: ReadonlyMap<string, readonly PlacedThread[]>;
  readonly seen: ReadonlySet<string>;
}

/** The files of the diff, each with its number of changes and open threads, and whether it was viewed. */
export function FileList({ files, total, placed, seen }: FileListProps) {
  const [words, setWords] = useState('');
  const wanted = words.toLowerCase().split(/\s+/);
  const found = files.filter(({ path }) => wanted.every((word) => path.toLowerCase().includes(word)));
  const seenHere = files.filter(({ path }) => seen.has(path)).length;
  return (
    <nav className="file-list" aria-label="Files">
      {(files.length >= manyFiles || words !== '') && (
        <input
          type="search"
          aria-label="Find a file"
          placeholder="Find a file"
          value={words}
          onChange={({ target }) => setWords(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && found[0] !== undefined) show(found[0].path);
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            setWords('');
            event.currentTarget.blur();
          }}
        />
      )}
      {seenHere > 0 && <p className="muted">{`${seenHere} of ${files.length} viewed`}</p>}
      {found.map(({ path, added, deleted }) => {
        const open = (placed.get(path) ?? []).filter(({ thread }) => thread.resolvedAt === '').length;
        return (
          <button key={path} type="button" className="quiet" data-viewed={seen.has(path)} onClick={() => show(path)}>
            <code title={path}>
              {/* The path is truncated at its start; `bdi` keeps a leading dot in its place. */}
              <bdi>{path}</bdi>
            </code>
            {seen.has(path) && <span className="unseen">viewed</span>}
            {open > 0 && <span className="thread-count" title={`${open} open threads`}>{`${open}`}</span>}
            <span className="added-count">+{added}</span>
            <span className="deleted-count">−{deleted}</span>
          </button>
        );
      })}
      {found.length === 0 && words !== '' && <p className="muted">No matching file</p>}
      {total > files.length && <p className="muted">{total - files.length} more are not loaded yet</p>}
    </nav>
  );
}

function show(path: string): void {
  document.getElementById(`file-${path}`)?.scrollIntoView({ block: 'start' });
}
