import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { RunLog } from '#page/client/host/v1/host_pb.js';
import { Elapsed } from '#page/parts/elapsed.tsx';
import { AgentName } from '#page/parts/names.tsx';
import { Split } from '#page/parts/split.tsx';
import { Tag } from '#page/parts/tag.tsx';
import { Trouble } from '#page/parts/trouble.tsx';
import { useListKeys } from '#page/parts/use-list-keys.ts';
import './runs.css';
import { plainText } from './plain-text.ts';
import { useRuns } from './use-runs.ts';
import { runLookOf, scriptWord, wantsALook } from './words.ts';

/** Runs of workflows' scripts for agents; beside them the one whose output is read. */
export function RunsScreen() {
  const [failed, setFailed] = useState(false);
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useRuns(failed);
  const { runId: chosen } = useParams({ strict: false });
  const navigate = useNavigate();
  const runs = data?.pages.flatMap((page) => page.runs) ?? [];
  useListKeys({
    ids: runs.map(({ id }) => String(id)),
    chosen,
    open: (runId) => void navigate({ to: '/runs/$runId', params: { runId }, replace: chosen !== undefined }),
    close: () => void navigate({ to: '/runs' }),
    keys: { f: () => setFailed(!failed) },
  });
  const head = (
    <button
      type="button"
      className="chip"
      aria-pressed={failed}
      aria-keyshortcuts="f"
      onClick={() => setFailed(!failed)}
    >
      Failed, not looked at <kbd>f</kbd>
    </button>
  );
  return (
    <Split title="Runs of scripts" head={head} isOpen={chosen !== undefined}>
      <Trouble error={error} />
      {!isPending && runs.length === 0 && (
        <p className="empty">
          {failed ? 'No failed run waits for a look.' : 'No script has been run for an agent yet.'}
        </p>
      )}
      <ul className="rows" aria-label="Runs">
        {runs.map((run) => (
          <RunRow key={run.id} run={run} isChosen={String(run.id) === chosen} />
        ))}
      </ul>
      {hasNextPage && (
        <div className="more">
          <button type="button" className="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Older runs
          </button>
        </div>
      )}
    </Split>
  );
}

function RunRow({ run, isChosen }: { readonly run: RunLog; readonly isChosen: boolean }) {
  const last = plainText(run.output).trimEnd().split('\n').at(-1) ?? '';
  return (
    <li className="row run" data-chosen={isChosen} data-wants={wantsALook(run)}>
      <Tag {...runLookOf(run)} />
      <div>
        <Link
          to="/runs/$runId"
          params={{ runId: String(run.id) }}
          className="row-link"
          aria-current={isChosen ? 'true' : undefined}
          preload={false}
        >
          {scriptWord(run.script)} {run.id}
        </Link>{' '}
        <span className="muted">
          for <AgentName agentId={run.agentId} />
        </span>
        <p className="run-last cut">{run.reason || last}</p>
      </div>
      <p className="run-at muted">
        <Elapsed since={run.startedAt} />
      </p>
    </li>
  );
}
