import type { Schedule } from '#page/client/schedule/v1/schedule_pb.js';
import { RowLink } from '#page/list/row-link.tsx';
import { Tag } from '#page/parts/tag.tsx';
import { Until, When } from '#page/parts/when.tsx';
import { Strip } from './strip.tsx';
import type { UpcomingTimes } from './upcoming-times.ts';
import { isStuck, runTag } from './words.ts';

interface RowProps {
  readonly schedule: Schedule;
  readonly coming: UpcomingTimes | undefined;
  readonly edges: readonly number[];
  readonly now: number;
  readonly isChosen: boolean;
  readonly tabIndex: 0 | -1;
}

/** A schedule in the list: its next firing, the result of its latest run, and its calendar. */
export function ScheduleRow({ schedule, coming, edges, now, isChosen, tabIndex }: RowProps) {
  const { id, name, cron, timezone, latestRun } = schedule;
  return (
    <>
      <div className="schedule-name">
        <RowLink to="/schedules/$scheduleId" params={{ scheduleId: id }} isChosen={isChosen} tabIndex={tabIndex}>
          {name}
        </RowLink>
        <p className="code muted cut">
          {cron} {timezone !== '' && <span>{timezone}</span>}
        </p>
      </div>
      <div className="schedule-next">
        <NextOf schedule={schedule} />
      </div>
      <div className="schedule-latest">
        {latestRun === undefined ? (
          <span className="muted">not fired yet</span>
        ) : (
          <>
            <Tag {...runTag(latestRun.state)} />
            <p className="muted cut">
              <When at={latestRun.scheduledFor} />
            </p>
          </>
        )}
      </div>
      <Strip name={name} coming={coming} edges={edges} now={now} />
    </>
  );
}

/** When a schedule fires next, or why it does not. */
export function NextOf({ schedule }: { readonly schedule: Schedule }) {
  if (!schedule.enabled) {
    const tone = isStuck(schedule) ? 'bad' : 'wants';
    return <Tag tone={tone} word="paused" title={schedule.pausedReason} />;
  }
  if (schedule.nextRunAt === undefined) return <Tag tone="plain" word="never fires" />;
  return (
    <>
      <b className="next">
        <Until at={schedule.nextRunAt} />
      </b>
      <p className="muted cut">
        <When at={schedule.nextRunAt} />
      </p>
    </>
  );
}
