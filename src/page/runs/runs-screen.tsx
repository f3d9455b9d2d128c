import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { RunLog } from '#page/client/host/v1/host_pb.js';
import { AgentName } from '#page/fleet/names.tsx';
import { VirtualList } from '#page/list/virtual-list.tsx';
import { Split } from '#page/panel/split.tsx';
import { Elapsed } from '#page/parts/elapsed.tsx';
import { Tag } from '#page/parts/tag.tsx';
import { Trouble } from '#page/parts/trouble.tsx';
import './runs.css';
import { RowLink } from '#page/list/row-link.tsx';
import { plainText } from '#page/parts/plain-text.ts';
import { runIdOf, useRuns } from './use-runs.ts';
import { needsAcknowledgement, runTag, scriptWord } from './words.ts';

/** The list of script runs, and the output of the selected one next to it. */
export function RunsScreen() {
  const [failed, setFailed] = useState(false);
  const { rows: runs, error, isPending, paging } = useRuns(failed);
  const { runId: chosen } = useParams({ strict: false });
  const navigate = useNavigate();
  const head = (
    <button
      type="button"
      className="chip"
      aria-pressed={failed}
      aria-keyshortcuts="f"
      onClick={() => setFailed(!failed)}
    >
      Unacknowledged failures <kbd>f</kbd>
    </button>
  );
  return (
    <Split title="Runs of scripts" head={head} isOpen={chosen !== undefined}>
      <Trouble error={error} />
      {!isPending && runs.length === 0 && (
        <p className="empty">{failed ? 'No unacknowledged failures.' : 'No scripts have run yet.'}</p>
      )}
      <VirtualList
        label="Runs"
        rows={runs}
        idOf={runIdOf}
        rowHeight={55}
        rowProps={(run) => ({ className: 'row run', 'data-wants': needsAcknowledgement(run) })}
        paging={paging}
        chosen={chosen}
        open={(runId) => void navigate({ to: '/runs/$runId', params: { runId }, replace: chosen !== undefined })}
        close={() => void navigate({ to: '/runs' })}
        keys={{ f: () => setFailed(!failed) }}
      >
        {(run, place) => <RunRow run={run} {...place} />}
      </VirtualList>
    </Split>
  );
}

interface RowProps {
  readonly run: RunLog;
  readonly isChosen: boolean;
  readonly tabIndex: 0 | -1;
}

function RunRow({ run, isChosen, tabIndex }: RowProps) {
  const last = plainText(run.output).trimEnd().split('\n').at(-1) ?? '';
  return (
    <>
      <Tag {...runTag(run)} />
      <div>
        <RowLink to="/runs/$runId" params={{ runId: String(run.id) }} isChosen={isChosen} tabIndex={tabIndex}>
          {scriptWord(run.script)} {run.id}
        </RowLink>{' '}
        <span className="muted">
          for <AgentName agentId={run.agentId} tabIndex={tabIndex} />
        </span>
        <p className="run-last cut">{[run.reason, plainText(run.errorLine)].filter(Boolean).join(': ') || last}</p>
      </div>
      <p className="run-at muted">
        <Elapsed since={run.startedAt} />
      </p>
    </>
  );
}
