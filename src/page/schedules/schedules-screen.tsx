import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { VirtualList } from '#page/list/virtual-list.tsx';
import { Split } from '#page/panel/split.tsx';
import { Trouble } from '#page/parts/trouble.tsx';
import { ownZone } from '#page/parts/when.tsx';
import { dayEdges, useNow } from './days.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { ScheduleRow } from './schedule-row.tsx';
import { useUpcomingTimes } from './upcoming-times.ts';
import './schedules.css';
import { StripHead } from './strip.tsx';
import { useSchedules } from './use-schedules.ts';
import { isStuck } from './words.ts';

/** The list of schedules with their calendar, and the selected one next to it. */
export function SchedulesScreen() {
  const { data: list = [], error, isSuccess: whole } = useSchedules();
  const coming = useUpcomingTimes();
  const { scheduleId: chosen } = useParams({ strict: false });
  const navigate = useNavigate();
  const now = useNow();
  const [isNew, setIsNew] = useState(false);
  const edges = dayEdges(now);
  const open = (scheduleId: string): void =>
    void navigate({ to: '/schedules/$scheduleId', params: { scheduleId }, replace: chosen !== undefined });
  const create = (
    <button type="button" className="button primary" onClick={() => setIsNew(true)} aria-keyshortcuts="n">
      New schedule <kbd>n</kbd>
    </button>
  );
  return (
    <Split title="Schedules" head={create} isOpen={chosen !== undefined}>
      <Trouble error={error} />
      {whole && list.length === 0 ? (
        <div className="empty">
          <h2>No schedules yet</h2>
          <p>A schedule launches an agent at each of its times.</p>
        </div>
      ) : (
        <div className="schedule-head">
          <span>Schedule</span>
          <span title={`times in this list are in your timezone: ${ownZone()}`}>Next ({ownZone()})</span>
          <span>Latest run</span>
          <StripHead edges={edges} />
        </div>
      )}
      <VirtualList
        label="Schedules"
        rows={list}
        idOf={({ id }) => id}
        rowHeight={58}
        rowProps={(schedule) => ({ className: 'row schedule', 'data-wants': isStuck(schedule) })}
        chosen={chosen}
        open={open}
        close={() => void navigate({ to: '/schedules' })}
        keys={{ n: () => setIsNew(true) }}
      >
        {(schedule, place) => (
          <ScheduleRow schedule={schedule} coming={coming.get(schedule.id)} edges={edges} now={now} {...place} />
        )}
      </VirtualList>
      {isNew && <ScheduleDialog schedule={undefined} onClose={() => setIsNew(false)} onMade={open} />}
    </Split>
  );
}
