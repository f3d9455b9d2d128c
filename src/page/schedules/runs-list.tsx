import { useInfiniteQuery } from '@tanstack/react-query';
import type { ScheduleRun } from '#page/client/schedule/v1/schedule_pb.js';
import { AgentName } from '#page/parts/names.tsx';
import { Tag } from '#page/parts/tag.tsx';
import { Trouble } from '#page/parts/trouble.tsx';
import { useAct } from '#page/parts/use-act.ts';
import { When } from '#page/parts/when.tsx';
import { schedules } from './client.ts';
import { isCancellable, isRetryable, runLookOf } from './words.ts';

/** The firings of a schedule that are on record, newest first. */
export function RunsList({ scheduleId, name }: { readonly scheduleId: string; readonly name: string }) {
  const { data, error, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    queryKey: ['schedule-runs', scheduleId],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      schedules.listScheduleRuns({ scheduleId, pagination: { cursor: pageParam, pageSize: 10 } }, { signal }),
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
  });
  const runs = data?.pages.flatMap((page) => page.runs) ?? [];
  return (
    <section className="section">
      <h3>Runs</h3>
      <Trouble error={error} />
      {data !== undefined && runs.length === 0 && <p className="muted">It has not fired yet.</p>}
      <ul className="runs" aria-label={`Runs of ${name}`}>
        {runs.map((run) => (
          <RunLine key={run.id} run={run} />
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" className="button" disabled={isFetching} onClick={() => void fetchNextPage()}>
          Older runs
        </button>
      )}
    </section>
  );
}

function RunLine({ run }: { readonly run: ScheduleRun }) {
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
      done: `run ${id} is tried again`,
    });
  return (
    <li>
      <Tag {...runLookOf(state)} />
      <span className="cut">
        <When at={scheduledFor} />
        {agentId !== '' && (
          <>
            {' '}
            <AgentName agentId={agentId} />
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
        {isRetryable(state) && (
          <button type="button" className="button" disabled={isBusy} onClick={retry} aria-label={`Retry run ${id}`}>
            Retry
          </button>
        )}
        {isCancellable(state) && (
          <button type="button" className="button" disabled={isBusy} onClick={cancel} aria-label={`Cancel run ${id}`}>
            Cancel
          </button>
        )}
      </span>
      {message !== '' && <span className="said">{message}</span>}
    </li>
  );
}
