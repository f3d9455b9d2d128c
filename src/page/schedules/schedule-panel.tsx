import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { BudgetSection } from '#page/acts/budget-section.tsx';
import type { Schedule } from '#page/client/schedule/v1/schedule_pb.js';
import { SidePanel } from '#page/panel/side-panel.tsx';
import { Tag } from '#page/parts/tag.tsx';
import { Trouble } from '#page/parts/trouble.tsx';
import { clockText, ownZone, Until, When } from '#page/parts/when.tsx';
import { schedules } from './client.ts';
import { RunsList } from './runs-list.tsx';
import { ScheduleActs } from './schedule-acts.tsx';
import { ScheduleFacts } from './schedule-facts.tsx';
import { useNextTimes } from './upcoming-times.ts';
import { useKnownSchedule } from './use-schedules.ts';
import { isStuck } from './words.ts';

const route = getRouteApi('/schedules/$scheduleId');
const back = { to: '/schedules', label: 'All schedules' } as const;

/** The details of a schedule: its next firings, its past runs, and its actions. */
export function SchedulePanel() {
  const { scheduleId } = route.useParams();
  const known = useKnownSchedule(scheduleId);
  // The list has only the start of a long prompt, so the whole prompt is read here.
  const asked = useQuery({
    queryKey: ['schedule', scheduleId],
    queryFn: ({ signal }) => schedules.getSchedule({ scheduleId }, { signal }),
  });
  const whole = asked.data?.schedule;
  // A schedule that was deleted meanwhile is not shown.
  const schedule = known ?? (asked.error === null ? whole : undefined);
  if (schedule === undefined) {
    return (
      <SidePanel label="Schedule" title="…" back={back}>
        <Trouble error={asked.error} />
      </SidePanel>
    );
  }
  const { name } = schedule;
  return (
    <SidePanel
      key={scheduleId}
      label={`Schedule ${name}`}
      title={name}
      back={back}
      standing={<Standing schedule={schedule} />}
    >
      <ScheduleActs schedule={schedule} whole={whole} />
      <NextTimes schedule={schedule} />
      <RunsList scheduleId={scheduleId} name={name} />
      <section className="section">
        <h3>Prompt</h3>
        <p className="prompt-text">{whole?.prompt ?? schedule.prompt}</p>
      </section>
      <BudgetSection ownerId={scheduleId} />
      <ScheduleFacts schedule={schedule} />
    </SidePanel>
  );
}

function Standing({ schedule }: { readonly schedule: Schedule }) {
  const { enabled, pausedReason, nextRunAt } = schedule;
  if (!enabled) {
    return (
      <>
        <Tag tone={isStuck(schedule) ? 'bad' : 'wants'} word="Paused" />
        {pausedReason !== '' && <p className="panel-reason">{pausedReason}</p>}
      </>
    );
  }
  return (
    <p className="standing">
      <Tag tone="good" word="Armed" />{' '}
      <span className="muted">
        {nextRunAt === undefined ? (
          'it never fires again'
        ) : (
          <>
            fires <Until at={nextRunAt} />, <When at={nextRunAt} /> in your timezone ({ownZone()})
          </>
        )}
      </span>
    </p>
  );
}

function NextTimes({ schedule: { id, timezone } }: { readonly schedule: Schedule }) {
  const { data } = useNextTimes(id);
  if (data === undefined || data.times.length === 0) return null;
  const zone = timezone || data.timezone;
  return (
    <section className="section">
      <h3>Next times, in {zone}</h3>
      <ul className="times">
        {data.times.map((at) => (
          <li key={at}>
            <time dateTime={new Date(at).toISOString()}>{clockText(at, zone)}</time>
          </li>
        ))}
      </ul>
    </section>
  );
}
