import { getRouteApi } from '@tanstack/react-router';
import { elapsedText } from '#contract/elapsed.ts';
import { useAct } from '#page/acts/use-act.ts';
import { type RunLog, RunState } from '#page/client/host/v1/host_pb.js';
import { hosts } from '#page/fleet/host-client.ts';
import { AgentName } from '#page/fleet/names.tsx';
import { SidePanel } from '#page/panel/side-panel.tsx';
import { useKeys } from '#page/parts/keys.ts';
import { Output } from '#page/parts/output.tsx';
import { Tag } from '#page/parts/tag.tsx';
import { Trouble } from '#page/parts/trouble.tsx';
import { When } from '#page/parts/when.tsx';
import { isRunId, useRun } from './use-runs.ts';
import { needsAcknowledgement, runTag, scriptWord } from './words.ts';

const route = getRouteApi('/runs/$runId');
const back = { to: '/runs', label: 'All runs' } as const;

/** A run with all of its output, updated live. */
export function RunPanel() {
  const { runId } = route.useParams();
  const { data: run, error } = useRun(runId);
  if (run === undefined || run === null) {
    return (
      <SidePanel label="Run" title="…" back={back}>
        <Trouble error={error} />
        {!isRunId(runId) && <p className="muted">There is no run {runId}.</p>}
      </SidePanel>
    );
  }
  return <Panel key={runId} run={run} />;
}

function Panel({ run }: { readonly run: RunLog }) {
  const { act, isBusy } = useAct(['runs'], ['run']);
  const { id, agentId, reason } = run;
  const isOpen = needsAcknowledgement(run);
  const acknowledge = (): void =>
    act({
      label: `Run ${id}`,
      call: () => hosts.acknowledgeRun({ id }),
      done: `run ${id} is acknowledged: its agent no longer shows it`,
    });
  useKeys({ a: isOpen ? acknowledge : undefined });
  return (
    <SidePanel
      label={`Run ${id}`}
      title={`${scriptWord(run.script)} ${id}`}
      back={back}
      standing={
        <>
          <p className="standing">
            <Tag {...runTag(run)} />
            <span className="muted">
              for <AgentName agentId={agentId} />, <When at={run.startedAt} />
              {run.endedAt !== '' && `, took ${elapsedText(Date.parse(run.endedAt) - Date.parse(run.startedAt))}`}
            </span>
          </p>
          {reason !== '' && <p className="panel-reason">{reason}</p>}
        </>
      }
    >
      {isOpen && (
        <div className="acts" role="toolbar" aria-label="Actions">
          <button
            type="button"
            className="button primary"
            disabled={isBusy}
            onClick={acknowledge}
            aria-keyshortcuts="a"
          >
            Acknowledge <kbd>a</kbd>
          </button>
        </div>
      )}
      <Output output={run.output} isTruncated={run.outputTruncated} isRunning={run.state === RunState.RUNNING} />
    </SidePanel>
  );
}
