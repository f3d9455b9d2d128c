import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { facts } from '#page/api/clients.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import { NoticeKind, type Notify } from '#page/client/shared/v1/shared_pb.js';
import { Dialog } from '#page/dialog/dialog.tsx';
import { Field } from '#page/dialog/field.tsx';
import { showNotice } from '#page/parts/notices.tsx';
import { Trouble } from '#page/parts/trouble.tsx';

const kinds: readonly (readonly [kind: NoticeKind, words: string])[] = [
  [NoticeKind.WAITING, 'begins to wait for me'],
  [NoticeKind.FAILED, 'fails'],
  [NoticeKind.FINISHED, 'finishes a turn'],
  [NoticeKind.ENDED, 'ends: its CLI exits, or is killed'],
  [NoticeKind.BUDGET, 'or a budget is used up, or nearly'],
  [NoticeKind.ACCOUNT_LIMITED, 'or its account is limited, so that agents are parked'],
  [NoticeKind.HOST_LOST, 'or its host is lost'],
  [NoticeKind.HOST_BACK, 'or its host is back'],
  [NoticeKind.BACKUP_FAILED, 'or a scheduled backup fails'],
];

/** Settings for notifying the person while no page is open: a webhook, and a command on muster's machine. */
export function NotifyDialog({ onClose }: { readonly onClose: () => void }) {
  const asked = useQuery({
    queryKey: ['notify'],
    queryFn: async ({ signal }) => (await facts.getNotify({}, { signal })).notify ?? null,
    staleTime: 0,
  });
  return (
    <Dialog title="Notifications elsewhere" onClose={onClose}>
      <Trouble error={asked.error} />
      {asked.data !== undefined && <NotifyForm notify={asked.data} onClose={onClose} />}
    </Dialog>
  );
}

interface FormProps {
  readonly notify: Notify | null;
  readonly onClose: () => void;
}

function NotifyForm({ notify, onClose }: FormProps) {
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (form: FormData) => {
      const text = (name: string): string => String(form.get(name) ?? '').trim();
      return facts.updateNotify({
        notify: { webhook: text('webhook'), command: text('command'), on: form.getAll('on').map(Number) },
      });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['notify'] }),
  });
  const test = useOneAct({ mutationFn: () => facts.testNotify({}) });
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const isTrial = (event.nativeEvent as SubmitEvent).submitter?.getAttribute('value') === 'try';
    await save.mutateAsync(new FormData(event.currentTarget));
    if (isTrial) return test.mutate();
    showNotice({ tone: 'done', text: 'Saved' });
    onClose();
  };
  const chosen = new Set(notify?.on.length ? notify.on : kinds.map(([kind]) => kind));
  return (
    <form className="body form" onSubmit={(event) => void submit(event).catch(() => undefined)}>
      <Field label="Webhook" hint="gets a POST with a JSON object">
        <input name="webhook" defaultValue={notify?.webhook} placeholder="https://" autoComplete="off" data-first />
      </Field>
      <Field label="Command" hint="runs in a shell on muster’s machine, with the event in its environment">
        <input name="command" className="code" defaultValue={notify?.command} autoComplete="off" spellCheck={false} />
      </Field>
      <fieldset className="plain">
        <legend>When an agent</legend>
        {kinds.map(([kind, words]) => (
          <label key={kind} className="check">
            <input type="checkbox" name="on" value={kind} defaultChecked={chosen.has(kind)} />
            {words}
          </label>
        ))}
      </fieldset>
      {test.data?.results.map(({ through, failure }) => (
        <p key={through} className={failure === '' ? 'muted' : 'failure'} role={failure === '' ? undefined : 'alert'}>
          {failure === '' ? `The ${through} accepted a test notification.` : `The ${through}: ${failure}`}
        </p>
      ))}
      <Trouble error={save.error ?? test.error} />
      <div className="foot">
        <button type="submit" className="button" value="try" disabled={save.isPending || test.isPending}>
          Save and test
        </button>
        <button type="submit" className="button primary" value="keep" disabled={save.isPending}>
          Save
        </button>
      </div>
    </form>
  );
}
