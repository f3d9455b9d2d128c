import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useAct } from '#page/acts/use-act.ts';
import { type RunLog, RunState } from '#page/client/host/v1/host_pb.js';
import { hosts } from '#page/fleet/host-client.ts';
import { AgentName } from '#page/fleet/names.tsx';
import { elapsedText } from '#page/parts/elapsed.tsx';
import { useKeys } from '#page/parts/keys.ts';
import { SidePanel } from '#page/parts/side-panel.tsx';
import { Tag } from '#page/parts/tag.tsx';
import { Trouble } from '#page/parts/trouble.tsx';
import { When } from '#page/parts/when.tsx';
import { plainText } from './plain-text.ts';
import { isRunId, useRun } from './use-runs.ts';
import { runLookOf, scriptWord, wantsALook } from './words.ts';

const route = getRouteApi('/runs/$runId');
const back = { to: '/runs', label: 'All runs' } as const;

/** One run with all that it wrote, as it writes. */
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
  const isOpen = wantsALook(run);
  const acknowledge = (): void =>
    act({
      label: `Run ${id}`,
      call: () => hosts.acknowledgeRun({ id }),
      done: `run ${id} is looked at: its agent does not show it any more`,
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
            <Tag {...runLookOf(run)} />
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
        <div className="acts" role="toolbar" aria-label="Acts">
          <button
            type="button"
            className="button primary"
            disabled={isBusy}
            onClick={acknowledge}
            aria-keyshortcuts="a"
          >
            I have looked at it <kbd>a</kbd>
          </button>
        </div>
      )}
      <Output run={run} />
    </SidePanel>
  );
}

/** What it wrote; its end stays in view while it grows, unless one has scrolled up. */
function Output({ run: { output, outputTruncated, state } }: { readonly run: RunLog }) {
  const place = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was added says when
  useEffect(() => {
    if (isAtEnd.current && place.current !== null) place.current.scrollTop = place.current.scrollHeight;
  }, [output]);
  const text = plainText(output);
  return (
    <section className="section">
      <h3>Output{state === RunState.RUNNING && ', as it comes'}</h3>
      {outputTruncated && <p className="muted">Only the end of it was kept.</p>}
      {text === '' ? (
        <p className="muted">It has written nothing.</p>
      ) : (
        <pre
          ref={place}
          className="output"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          tabIndex={0}
          role="log"
          aria-label="Output"
          onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
            isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24;
          }}
        >
          {text}
        </pre>
      )}
    </section>
  );
}
