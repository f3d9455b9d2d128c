import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ActBar } from '#page/acts/act-bar.tsx';
import { useAct } from '#page/acts/use-act.ts';
import type { Schedule } from '#page/client/schedule/v1/schedule_pb.js';
import { Confirm } from '#page/dialog/confirm.tsx';
import { useKeys } from '#page/parts/keys.ts';
import { schedules } from './client.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';

interface ActsProps {
  readonly schedule: Schedule;
  /** The schedule with its whole prompt; undefined while it is loading. */
  readonly whole: Schedule | undefined;
}

/** The actions on a schedule, as buttons and keys. */
export function ScheduleActs({ schedule: { id: scheduleId, name, enabled }, whole }: ActsProps) {
  const navigate = useNavigate();
  const { act, isBusy } = useAct(['schedule-runs'], ['coming']);
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const close = (): void => setOpen(undefined);
  const fire = (): void =>
    act({
      label: `Fire ${name}`,
      call: () => schedules.fireSchedule({ scheduleId }),
      done: ({ run }) => `${name} is fired as run ${run?.id}`,
    });
  const turn = (): void =>
    enabled
      ? act({
          label: `Pause ${name}`,
          call: () => schedules.pauseSchedule({ scheduleId }),
          done: `${name} is paused`,
        })
      : act({
          label: `Resume ${name}`,
          call: () => schedules.resumeSchedule({ scheduleId }),
          done: `${name} is armed`,
        });
  const remove = (): void => {
    close();
    act({
      label: `Delete ${name}`,
      call: async () => {
        await schedules.deleteSchedule({ scheduleId });
        await navigate({ to: '/schedules' });
      },
      done: `${name} is deleted`,
    });
  };
  const edit = whole && (() => setOpen('edit'));
  useKeys({ f: fire, p: turn, e: edit, d: () => setOpen('delete') });
  const offered = [
    ['Fire now', 'f', fire],
    [enabled ? 'Pause' : 'Resume', 'p', turn],
    ['Edit', 'e', edit],
    ['Delete', 'd', () => setOpen('delete')],
  ] as const;
  return (
    <div className="acts" role="toolbar" aria-label="Actions">
      <ActBar offered={offered} isBusy={isBusy} />
      {open === 'edit' && <ScheduleDialog schedule={whole} onClose={close} />}
      {open === 'delete' && (
        <Confirm
          question={`Delete ${name}?`}
          what="Its run history is deleted too; its agents stay. Pause it to keep the history."
          yes="Delete"
          onYes={remove}
          onClose={close}
        />
      )}
    </div>
  );
}
