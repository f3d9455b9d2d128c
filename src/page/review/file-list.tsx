import type { ReviewFile } from '#page/client/agent/v1/agent_pb.js';
import type { PlacedThread } from './shown-file.ts';

interface FileListProps {
  readonly files: readonly ReviewFile[];
  readonly total: number;
  readonly placed: ReadonlyMap<string, readonly PlacedThread[]>;
}

/** The files of the diff, each with how much changed and how many threads are open in it. */
export function FileList({ files, total, placed }: FileListProps) {
  return (
    <nav className="file-list" aria-label="Files">
      {files.map(({ path, added, deleted }) => {
        const open = (placed.get(path) ?? []).filter(({ thread }) => thread.resolvedAt === '').length;
        return (
          <button
            key={path}
            type="button"
            className="quiet"
            onClick={() => document.getElementById(`file-${path}`)?.scrollIntoView({ block: 'start' })}
          >
            <code title={path}>{path}</code>
            {open > 0 && <span className="thread-count" title={`${open} open threads`}>{`${open}`}</span>}
            <span className="added-count">+{added}</span>
            <span className="deleted-count">−{deleted}</span>
          </button>
        );
      })}
      {total > files.length && <p className="muted">{total - files.length} more are not loaded yet</p>}
    </nav>
  );
}
