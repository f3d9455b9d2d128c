import { useAct } from '#page/acts/use-act.ts';
import type { ScheduleRun } from '#page/client/schedule/v1/schedule_pb.js';
import { AgentName } from '#page/fleet/names.tsx';
import { useListing } from '#page/list/use-listing.ts';
import { VirtualList } from '#page/list/virtual-list.tsx';
import { Tag } from '#page/parts/tag.tsx';
import { Trouble } from '#page/parts/trouble.tsx';
import { When } from '#page/parts/when.tsx';
import { schedules } from './client.ts';
import { isCancellable, isRetryable, runTag } from './words.ts';

const idOf = ({ id }: ScheduleRun): string => String(id);

/** The recorded firings of a schedule, newest first. */
export function RunsList({ scheduleId, name }: { readonly scheduleId: string; readonly name: string }) {
  const { rows, error, isPending, paging } = useListing({
    queryKey: ['schedule-runs', scheduleId],
    read: async (cursor, signal) => {
      const asked = { scheduleId, pagination: { cursor, pageSize: 50 } };
      const { runs, nextPageToken } = await schedules.listScheduleRuns(asked, { ...(signal && { signal }) });
      return { rows: runs, next: nextPageToken };
    },
    idOf,
  });
  return (
    <section className="section">
      <h3>Runs</h3>
      <Trouble error={error} />
      {!isPending && rows.length === 0 && <p className="muted">It has not fired yet.</p>}
      <VirtualList
        label={`Runs of ${name}`}
        rows={rows}
        idOf={idOf}
        rowHeight={37}
        isPlain
        rowProps={() => ({ className: 'schedule-run' })}
        paging={paging}
      >
        {(run, { tabIndex }) => <RunLine run={run} tabIndex={tabIndex} />}
      </VirtualList>
    </section>
  );
}

function RunLine({ run, tabIndex }: { readonly run: ScheduleRun; readonly tabIndex: 0 | -1 }) {
  const { id, state, agentId, attempt, maxAttempts, message, scheduledFor } = run;
  const { act, isBusy } = useAct(['schedule-runs']);
  const runId = id;
  const cancel = (): void =>
    act({
      label: `Cancel run ${id}`,
      call: () => schedules.cancelScheduleRun({ runId }),
      done: `run ${id} is cancelled`,
    });
  const retry = (): void =>
    act({
      label: `Retry run ${id}`,
      call: () => schedules.retryScheduleRun({ runId }),
      done: `run ${id} is being retried`,
    });
  const button = { id, isBusy, tabIndex };
  return (
    <>
      <Tag {...runTag(state)} />
      <span className="cut">
        <When at={scheduledFor} />
        {agentId !== '' && (
          <>
            {' '}
            <AgentName agentId={agentId} tabIndex={tabIndex} />
          </>
        )}
        {attempt > 1 && (
          <span className="muted">
            {' '}
            try {attempt} of {maxAttempts}
          </span>
        )}
      </span>
      <span className="acts">
        {isRetryable(state) && <RunAct word="Retry" run={retry} {...button} />}
        {isCancellable(state) && <RunAct word="Cancel" run={cancel} {...button} />}
      </span>
      {message !== '' && <span className="said">{message}</span>}
    </>
  );
}

interface RunActProps {
  readonly word: string;
  readonly id: ScheduleRun['id'];
  readonly run: () => void;
  readonly isBusy: boolean;
  readonly tabIndex: 0 | -1;
}

function RunAct({ word, id, run, isBusy, tabIndex }: RunActProps) {
  return (
    <button
      type="button"
      className="button"
      disabled={isBusy}
      tabIndex={tabIndex}
      onClick={run}
      aria-label={`${word} run ${id}`}
    >
      {word}
    </button>
  );
}
