import { type FormEvent, useId, useState } from 'react';
import { actFailureText, failureText, wrongFields } from '#page/api/failure-text.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import type { Schedule } from '#page/client/schedule/v1/schedule_pb.js';
import { Dialog } from '#page/dialog/dialog.tsx';
import { Field } from '#page/dialog/field.tsx';
import { FormFoot } from '#page/dialog/form-foot.tsx';
import { useDraft } from '#page/dialog/use-draft.ts';
import { useWorkflows } from '#page/fleet/names.tsx';
import { showNotice } from '#page/parts/notices.tsx';
import { useSettled } from '#page/parts/settled.ts';
import { type Draft, type DraftField, draftFields, draftOf, save } from './draft.ts';
import { MoreFields } from './more-fields.tsx';
import { TriedTimes } from './tried-times.tsx';
import { useTriedTimes } from './upcoming-times.ts';

interface DialogProps {
  /** The schedule to edit; undefined to create one. */
  readonly schedule: Schedule | undefined;
  readonly onClose: () => void;
  readonly onMade?: (scheduleId: string) => void;
}

/** Creates or edits a schedule. A refusal of the service is shown at its field. */
export function ScheduleDialog({ schedule, onClose, onMade }: DialogProps) {
  const { draft, write, clear } = useScheduleDraft(schedule);
  const { data: listed } = useWorkflows();
  const workflowId = draft.workflowId || (listed?.workflows[0]?.id ?? '');
  const saving = useOneAct({
    mutationFn: () => save({ ...draft, workflowId }, schedule?.id),
    onSuccess: (saved) => {
      clear();
      showNotice({ tone: 'done', text: `${saved?.name} is ${schedule === undefined ? 'created' : 'changed'}` });
      onClose();
      if (saved !== undefined) onMade?.(saved.id);
    },
  });
  const set = (changed: Partial<Draft>): void => {
    saving.reset();
    write({ ...draft, ...changed });
  };
  const cron = useSettled(draft.cron);
  const timezone = useSettled(draft.timezone);
  const tried = useTriedTimes(cron, timezone);
  const refusal = saving.error === null ? undefined : actFailureText(saving.error);
  const triedRefusal = tried.error === null || refusal !== undefined ? undefined : failureText(tried.error);
  const found = wrongFields(saving.error ?? tried.error);
  const isPlaced = draftFields.some((field) => found.has(field));
  const wrong = (field: DraftField): string | undefined =>
    found.get(field) ?? (field === 'cron' && !isPlaced ? triedRefusal : undefined);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    saving.mutate();
  };
  const zones = useId();
  return (
    <Dialog title={schedule === undefined ? 'New schedule' : `Edit ${schedule.name}`} onClose={onClose}>
      <form className="body form" onSubmit={submit} noValidate>
        <Field label="Name" wrong={wrong('name')}>
          <input value={draft.name} autoComplete="off" onChange={({ target }) => set({ name: target.value })} />
        </Field>
        <div className="pair">
          <Field label="Cron" hint="minute hour day month weekday" wrong={wrong('cron')}>
            <input
              className="code"
              value={draft.cron}
              placeholder="0 9 * * MON-FRI"
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => set({ cron: target.value })}
            />
          </Field>
          <Field label="Timezone" hint="empty: the machine’s own" wrong={wrong('timezone')}>
            <input
              value={draft.timezone}
              placeholder={tried.data?.timezone}
              list={zones}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => set({ timezone: target.value })}
            />
          </Field>
        </div>
        <datalist id={zones}>
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <TriedTimes tried={triedRefusal === undefined ? tried.data : undefined} timezone={timezone} />
        <Field label="Prompt" wrong={wrong('prompt')}>
          <textarea rows={4} value={draft.prompt} onChange={({ target }) => set({ prompt: target.value })} />
        </Field>
        <Field label="Workflow" wrong={wrong('workflowId')}>
          <select value={workflowId} onChange={({ target }) => set({ workflowId: target.value })}>
            {listed?.workflows.map(({ id, name, harness }) => (
              <option key={id} value={id}>
                {name} ({harness})
              </option>
            ))}
          </select>
        </Field>
        <MoreFields draft={draft} set={set} wrong={wrong} isNew={schedule === undefined} />
        {refusal !== undefined && !isPlaced && (
          <p role="alert" className="failure">
            {refusal}
          </p>
        )}
        <FormFoot submit={schedule === undefined ? 'Create' : 'Save'} isBusy={saving.isPending} onLeave={onClose} />
      </form>
    </Dialog>
  );
}

/** The draft of a new schedule is kept until it is created; editing starts with the current schedule. */
function useScheduleDraft(schedule: Schedule | undefined) {
  const kept = useDraft('schedule', draftOf(undefined));
  const [changed, change] = useState<Draft>(() => draftOf(schedule));
  return schedule === undefined ? kept : { draft: changed, write: change, clear: () => undefined };
}
